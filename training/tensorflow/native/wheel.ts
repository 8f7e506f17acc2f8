import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TrainingError } from '../../training-error.js';
import { findPip, findPython, lastLines, runCommand, type CommandResult, type Tool } from './toolchain.js';

/** A Python wheel by name, version and checksum: the same bytes from every index. */
export interface Wheel {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the wheel, lower-case hexadecimal. */
  readonly sha256: string;
  /** Size of the wheel. */
  readonly bytes: number;
  /** Upper limit of the size of the unpacked files. */
  readonly unpackedBytes: number;
  /** Tags of the wheel; they need not match the Python that downloads it. */
  readonly python: string;
  readonly abi: string;
  readonly platform: string;
}

/** The build of TensorFlow whose C library is used; wheels since 2.12 contain that library. */
export const TENSORFLOW_WHEEL: Wheel = {
  name: 'tensorflow-cpu',
  version: '2.15.1',
  sha256: '54660c074d7241a503e81edfd9f5ef5af88f64051b72e2945f26318c790f2d26',
  bytes: 207_208_420,
  unpackedBytes: 615_000_000,
  python: '3.11',
  abi: 'cp311',
  platform: 'manylinux2014_x86_64',
};

/** Interval between measurements of the download's size, in milliseconds. */
const LOOK_EVERY_MS = 250;

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    // pip renames and removes its files in the meantime.
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.isFile() === true) bytes += found.size;
  }
  return bytes;
}

function downloadFailure(wheel: Wheel, { output, exitCode, signal }: CommandResult): TrainingError {
  const what = `${wheel.name} ${wheel.version}`;
  const said = `pip said: ${lastLines(output, 6)}`;
  if (output.includes('DO NOT MATCH THE HASHES')) {
    return new TrainingError(
      'download-altered',
      `expected ${what} with SHA-256 ${wheel.sha256}, found another file under that name; ${said}`,
    );
  }
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new TrainingError('disk-space', `no room to download ${what}; ${said}`);
  }
  const end = exitCode === null ? String(signal) : `exit code ${exitCode}`;
  return new TrainingError(
    'download-failed',
    `cannot download ${what} with pip (${end}): is the package index reachable? ${said}`,
  );
}

function downloadArguments(wheel: Wheel, requirements: string, folder: string): string[] {
  return [
    ...['download', '--require-hashes', '--no-deps', '--only-binary=:all:'],
    ...['--implementation', 'cp', '--python-version', wheel.python],
    ...['--abi', wheel.abi, '--platform', wheel.platform],
    ...['--no-input', '--disable-pip-version-check', '--progress-bar', 'off'],
    ...['--dest', folder, '--requirement', requirements],
  ];
}

async function requirePip(env: NodeJS.ProcessEnv): Promise<Tool> {
  const pip = await findPip(env);
  if (pip !== null) return pip.tool;
  const python = await findPython(env);
  throw new TrainingError(
    'python-missing',
    'expected Python 3 with pip on the PATH, to download TensorFlow; found ' +
      `${python === null ? 'no Python' : `${python.version} without pip`}. ` +
      'On Debian or Ubuntu: apt-get install python3-pip',
  );
}

/**
 * Downloads a wheel with pip, which uses its configured index, proxy and cache, and verifies the checksum.
 *
 * @param folder an empty folder for the wheel and pip's temporary files.
 * @param options `env` is pip's environment; `onBytes` is called regularly with the number of bytes so far, which never
 *   decreases.
 * @returns the path of the wheel.
 * @throws TrainingError `python-missing`, `download-failed`, `download-altered`, `disk-space`.
 */
export async function downloadWheel(
  wheel: Wheel,
  folder: string,
  options: { readonly env: NodeJS.ProcessEnv; readonly onBytes: (bytes: number) => void },
): Promise<string> {
  const pip = await requirePip(options.env);
  const destination = join(folder, 'wheel');
  const temporary = join(folder, 'tmp');
  await mkdir(destination);
  await mkdir(temporary);
  const requirements = join(folder, 'requirements.txt');
  await writeFile(requirements, `${wheel.name}==${wheel.version} --hash=sha256:${wheel.sha256}\n`);
  let most = 0;
  const looking = setInterval(() => {
    bytesIn(folder).then(
      (bytes) => {
        // pip copies the finished wheel before it removes its temporary one.
        most = Math.max(most, Math.min(bytes, wheel.bytes));
        options.onBytes(most);
      },
      () => undefined,
    );
  }, LOOK_EVERY_MS);
  try {
    // The system's temporary folder may be small, and renaming a file requires the same disk.
    const env = { ...options.env, TMPDIR: temporary };
    const result = await runCommand(pip, downloadArguments(wheel, requirements, destination), env);
    if (result?.exitCode !== 0) throw downloadFailure(wheel, result!);
  } finally {
    clearInterval(looking);
  }
  const [name] = await readdir(destination);
  return join(destination, name!);
}
