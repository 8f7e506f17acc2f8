import { createWriteStream } from 'node:fs';
import { mkdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writeFailure } from '../../../data/files/atomic-file.js';
import { loadOptional } from '../../../env/optional-packages.js';
import { TrainingError } from '../../training-error.js';
import type { SetupObserver } from './setup-progress.js';
import { makeSealedFolder } from './sealed-folder.js';
import { downloadWheel, type Wheel } from './wheel.js';

/** Folder of the shared libraries in the wheel. */
const ROOT = 'tensorflow/';
/** Names of the shared libraries in the wheel. */
export const TENSORFLOW_LIBRARIES = ['libtensorflow_cc.so.2', 'libtensorflow_framework.so.2'] as const;

/** Prefixes of the paths to unpack: the libraries and the headers of the C API. */
const NEEDED = [
  ...TENSORFLOW_LIBRARIES.map((name) => `${ROOT}${name}`),
  `${ROOT}include/tensorflow/c/`,
  `${ROOT}include/tensorflow/core/platform/ctstring`,
  `${ROOT}include/tsl/c/`,
  `${ROOT}include/tsl/platform/ctstring`,
];

/** Disk space needed in addition to the wheel and its content, for a copy that pip may keep in its own cache. */
const SPARE_BYTES = 250_000_000;

/** The sealed folder of a build in the cache: libraries at its top, headers in `include`. */
export function libraryFolder(cache: string, wheel: Wheel): string {
  return join(cache, `${wheel.name}-${wheel.version}-${wheel.sha256.slice(0, 12)}`);
}

async function requireDiskSpace(cache: string, wheel: Wheel): Promise<void> {
  const needed = wheel.bytes + wheel.unpackedBytes + SPARE_BYTES;
  const { bavail, bsize } = await statfs(cache);
  if (bavail * bsize >= needed) return;
  const found = Math.floor((bavail * bsize) / 1e6);
  throw new TrainingError(
    'disk-space',
    `expected ${Math.ceil(needed / 1e6)} MB free in ${cache} to set up TensorFlow, found ${found} MB. ` +
      'GESS_CACHE names another folder',
  );
}

/**
 * Unpacks the libraries and headers from a wheel of TensorFlow.
 *
 * @param onBytes called regularly with the number of bytes so far.
 * @throws TrainingError `download-altered` if the file is not a zip file or lacks a library; DataError `disk-full`,
 *   `write-failed`.
 */
export async function unpackLibrary(
  path: string,
  folder: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const missing = new Set<string>(TENSORFLOW_LIBRARIES);
  let bytes = 0;
  const { default: yauzl } = await loadOptional('yauzl', () => import('yauzl'));
  const zip = await yauzl.openPromise(path).catch((cause: unknown) => {
    throw new TrainingError('download-altered', `expected a wheel, a zip file, at ${path}`, { cause });
  });
  for await (const entry of zip.eachEntry()) {
    if (!NEEDED.some((start) => entry.fileName.startsWith(start)) || entry.fileName.endsWith('/')) continue;
    const name = entry.fileName.slice(ROOT.length);
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true });
    const content = await zip.openReadStreamPromise(entry);
    content.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      onBytes(bytes);
    });
    await pipeline(content, createWriteStream(target)).catch((error: unknown) => {
      throw writeFailure(target, error);
    });
    missing.delete(name);
  }
  if (missing.size === 0) return;
  throw new TrainingError('download-altered', `expected ${[...missing].join(', ')} in ${path}, found none`);
}

/**
 * Downloads a build of TensorFlow and unpacks it into the cache; an existing folder is replaced.
 *
 * @param cache the cache folder, which exists.
 * @throws TrainingError `disk-space`, before the download; the errors of `downloadWheel` and `unpackLibrary`.
 */
export async function installLibrary(
  cache: string,
  wheel: Wheel,
  options: { readonly env: NodeJS.ProcessEnv; readonly observe: SetupObserver },
): Promise<void> {
  const { env, observe } = options;
  await requireDiskSpace(cache, wheel);
  await makeSealedFolder(libraryFolder(cache, wheel), async (content, scratch) => {
    observe('download', 0);
    const path = await downloadWheel(wheel, scratch, {
      env,
      onBytes: (bytes) => {
        observe('download', bytes / wheel.bytes);
      },
    });
    observe('unpack', 0);
    await unpackLibrary(path, content, (bytes) => {
      observe('unpack', Math.min(1, bytes / wheel.unpackedBytes));
    });
  });
}
