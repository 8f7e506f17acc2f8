import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../../long-tests.js';
import {
  bindingFile,
  bindingFolder,
  expectTrustedBinding,
  installedSources,
  type BindingSources,
} from '../../../../training/tensorflow/native/binding.js';
import { cacheFolder } from '../../../../training/tensorflow/native/cache-folder.js';
import { requireSupportedPlatform } from '../../../../training/tensorflow/native/platform.js';
import { setUpNativeTensorflow, type SetupReport } from '../../../../training/tensorflow/native/setup.js';
import {
  libraryFolder,
  TENSORFLOW_LIBRARIES,
} from '../../../../training/tensorflow/native/tensorflow-library.js';
import { TENSORFLOW_WHEEL } from '../../../../training/tensorflow/native/wheel.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { offlineEnvironment } from './small-wheel.js';
import { builtModule } from '../../../package/built-module.js';

const SETUP = builtModule('training/tensorflow/native/setup.js');

/** An environment without any programs, and therefore without pip and compiler. */
const EMPTY_ENVIRONMENT = { PATH: '' };

interface Place {
  readonly cache: string;
  readonly sources: BindingSources;
}

/** A cache with this machine's TensorFlow but no binding, and the package's sources of the binding. */
async function freshPlace(): Promise<Place> {
  const folder = temporaryFolder();
  const cache = join(folder, 'cache');
  await mkdir(cache);
  await symlink(libraryFolder(cacheFolder(), TENSORFLOW_WHEEL), libraryFolder(cache, TENSORFLOW_WHEEL));
  const { packageFolder, headersFolder } = installedSources();
  const copy = join(folder, 'tfjs-node');
  await cp(join(packageFolder, 'binding'), join(copy, 'binding'), { recursive: true });
  return { cache, sources: { packageFolder: copy, headersFolder } };
}

/** Copies this machine's binding into a place's cache, as if it had been compiled there. */
async function withBinding(place: Place): Promise<Place> {
  const library = libraryFolder(cacheFolder(), TENSORFLOW_WHEEL);
  const binding = await bindingFolder(place.sources, library);
  await cp(binding, join(place.cache, basename(binding)), { recursive: true });
  return place;
}

function setUp(place: Place, env: NodeJS.ProcessEnv = process.env): Promise<SetupReport> {
  return setUpNativeTensorflow({ ...place, env, observe: () => undefined });
}

/**
 * The environment with a compiler that copies this machine's binding, which takes seconds to compile, to its
 * last argument.
 */
async function copyingCompiler(place: Place): Promise<NodeJS.ProcessEnv> {
  const library = libraryFolder(cacheFolder(), TENSORFLOW_WHEEL);
  const binding = bindingFile(await bindingFolder(place.sources, library));
  const path = join(place.cache, '..', 'copying-compiler');
  const script = `#!/bin/sh\n[ "$1" = --version ] && exec echo copy 1.0\nfor file; do :; done\nexec cp '${binding}' "$file"\n`;
  await writeFile(path, script, { mode: 0o755 });
  return { ...process.env, CXX: path };
}

/** Starts a set-up in a separate process, which writes each step and, at the end, its report as lines. */
function startSetup(place: Place, env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const program = `
    const { setUpNativeTensorflow } = await import(${JSON.stringify(SETUP)});
    const observe = (step) => console.log(step);
    const report = await setUpNativeTensorflow({ ...${JSON.stringify(place)}, observe });
    console.log(JSON.stringify(report));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function reportOf(child: ChildProcess): Promise<SetupReport> {
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  expect(await once(child, 'close')).toEqual([0, null]);
  return JSON.parse(output.trim().split('\n').at(-1)!) as SetupReport;
}

let place: Place;
beforeEach(async () => {
  place = await freshPlace();
});

test.runIf(isLong)('a set-up that is killed is completed by the next run; later runs only link', async () => {
  const killed = startSetup(place);
  // The first line reports that it compiles: the lock is held, and the binding does not exist yet.
  expect(String((await once(killed.stdout!, 'data'))[0])).toContain('compile');
  killed.kill('SIGKILL');
  await once(killed, 'close');

  const first = await setUp(place);
  expect(first).toMatchObject({ done: ['binding', 'link'], tensorflow: TENSORFLOW_WHEEL.version });
  expect((await lstat(first.binding)).isSymbolicLink()).toBe(true);
  const names = await readdir(place.cache);
  expect(names.filter((name) => name.startsWith('partial-'))).toEqual([]);

  expect(await setUp(place, EMPTY_ENVIRONMENT)).toMatchObject({ done: [], tensorflow: null });

  await unlink(first.binding);
  await writeFile(first.binding, 'of somebody else');
  expect(await setUp(place, EMPTY_ENVIRONMENT)).toMatchObject({ done: ['link'] });
});

test('a truncated binding is repaired; of two concurrent set-ups, one does the work and both succeed', async () => {
  const { binding } = await setUp(await withBinding(place), EMPTY_ENVIRONMENT);
  await truncate(binding, 1000);
  const env = await copyingCompiler(place);
  const reports = await Promise.all([reportOf(startSetup(place, env)), reportOf(startSetup(place, env))]);
  const [idle, worked] = reports.map(({ done }) => done).sort((a, b) => a.length - b.length);
  expect(idle).toEqual([]);
  expect(worked).toEqual(['binding']);
});

test.runIf(isLong)('a truncated library is detected and downloaded again', async () => {
  const library = libraryFolder(place.cache, TENSORFLOW_WHEEL);
  await rm(library);
  await mkdir(library);
  const real = libraryFolder(cacheFolder(), TENSORFLOW_WHEEL);
  for (const name of [...TENSORFLOW_LIBRARIES, 'include', 'seal.json']) {
    await symlink(join(real, name), join(library, name));
  }
  await unlink(join(library, TENSORFLOW_LIBRARIES[1]));
  await writeFile(join(library, TENSORFLOW_LIBRARIES[1]), 'cut');
  const settingUp = setUp(place, offlineEnvironment(temporaryFolder()));
  await expect(settingUp).rejects.toMatchObject({ code: 'download-failed' });
});

test('a cache that others can change is refused', async () => {
  await withBinding(place);
  await chmod(place.cache, 0o777);
  await expect(setUp(place)).rejects.toMatchObject({
    code: 'cache-untrusted',
    message: expect.stringContaining(`${place.cache} is writable by others (mode 777). Remove it`) as string,
  });
  await chmod(place.cache, 0o755);
  const { binding } = await setUp(place, EMPTY_ENVIRONMENT);
  const load = (): void => {
    expectTrustedBinding(place.sources.packageFolder);
  };
  load();
  await chmod(await realpath(binding), 0o766);
  expect(load).toThrow(expect.objectContaining({ code: 'cache-untrusted' }) as Error);
  await expect(setUp(place)).rejects.toMatchObject({ code: 'cache-untrusted' });
});

test('a cache that cannot be written is an error with advice', async () => {
  // Not even root can create a folder there.
  const settingUp = setUp({ ...place, cache: '/proc/gess-cache/of-nobody' });
  await expect(settingUp).rejects.toMatchObject({
    code: 'cache-read-only',
    message: expect.stringContaining('make it writable, or name another folder in GESS_CACHE') as string,
  });
});

test('a complete cache is only read', async () => {
  await withBinding(place);
  await utimes(place.cache, 0, 0);
  expect(await setUp(place, EMPTY_ENVIRONMENT)).toMatchObject({ done: ['link'] });
  expect((await stat(place.cache)).mtimeMs).toBe(0);
});

test('without a compiler, the message reports that', async () => {
  await expect(setUp(place, EMPTY_ENVIRONMENT)).rejects.toMatchObject({ code: 'compiler-missing' });
});

test('CXX names the compiler', async () => {
  const env = { ...process.env, CXX: 'no-such-compiler -O0' };
  await expect(setUp(place, env)).rejects.toMatchObject({
    code: 'compiler-missing',
    message: expect.stringContaining('no-such-compiler') as string,
  });
});

test.runIf(isLong)('a binding that does not compile is an error that quotes the compiler', async () => {
  await writeFile(join(place.sources.packageFolder, 'binding', 'tfjs_binding.cc'), '#error of this test\n');
  await expect(setUp(place)).rejects.toMatchObject({
    code: 'binding-failed',
    message: expect.stringContaining('#error of this test') as string,
  });
  expect(await readdir(place.cache)).toEqual([expect.stringContaining(TENSORFLOW_WHEEL.name)]);
});

test('a binding that does not run is not linked', async () => {
  for (const name of ['tfjs_binding.cc', 'tfjs_backend.cc']) {
    await writeFile(join(place.sources.packageFolder, 'binding', name), '// No module.\n');
  }
  await expect(setUp(place)).rejects.toMatchObject({ code: 'setup-failed' });
  await expect(setUp(place)).rejects.toMatchObject({ code: 'setup-failed' });
  expect(await readdir(place.sources.packageFolder)).toEqual(['binding']);
});

test.each([
  { system: 'darwin', architecture: 'arm64', glibc: null },
  { system: 'linux', architecture: 'arm64', glibc: '2.36' },
  { system: 'linux', architecture: 'x64', glibc: null },
])('$system $architecture, glibc $glibc is not supported', (platform) => {
  expect(() => {
    requireSupportedPlatform(platform);
  }).toThrow(expect.objectContaining({ code: 'platform-unsupported' }) as Error);
});

test('linux x64 with glibc is supported', () => {
  requireSupportedPlatform({ system: 'linux', architecture: 'x64', glibc: '2.31' });
});

test.each([
  [{ GESS_CACHE: '/a', XDG_CACHE_HOME: '/b' }, '/a'],
  [{ GESS_CACHE: '', XDG_CACHE_HOME: '/b' }, '/b/gess-zero'],
  [{ GESS_CACHE: 'a' }, join(process.cwd(), 'a')],
])('the cache of %j is %s', (env, folder) => {
  expect(cacheFolder(env)).toBe(folder);
});
