import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../../long-tests.js';
import {
  libraryFolder,
  installLibrary,
  unpackLibrary,
} from '../../../../training/tensorflow/native/tensorflow-library.js';
import { runCommand } from '../../../../training/tensorflow/native/toolchain.js';
import { downloadWheel } from '../../../../training/tensorflow/native/wheel.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { offlineEnvironment, writeSmallWheel } from './small-wheel.js';

const LIBRARY_FILES = {
  'tensorflow/libtensorflow_cc.so.2': 'cc',
  'tensorflow/libtensorflow_framework.so.2': 'framework',
  'tensorflow/include/tensorflow/c/c_api.h': 'header',
  'tensorflow/python/large.py': 'not needed',
};

const ignore = (): void => undefined;

test('a wheel is downloaded, and the required files are unpacked', async () => {
  const cache = temporaryFolder();
  const index = temporaryFolder();
  const { wheel } = writeSmallWheel(index, LIBRARY_FILES);
  const steps = new Set<string>();
  await installLibrary(cache, wheel, { env: offlineEnvironment(index), observe: (step) => steps.add(step) });
  expect([...steps]).toEqual(['download', 'unpack']);
  const folder = libraryFolder(cache, wheel);
  expect((await readdir(folder)).sort()).toEqual([
    'include',
    'libtensorflow_cc.so.2',
    'libtensorflow_framework.so.2',
    'seal.json',
  ]);
  expect(await readFile(join(folder, 'include', 'tensorflow', 'c', 'c_api.h'), 'utf8')).toBe('header');
  expect(await readdir(cache)).toHaveLength(1);
});

test.runIf(isLong)('a wheel with another checksum is refused and removed', async () => {
  const cache = temporaryFolder();
  const index = temporaryFolder();
  const { wheel } = writeSmallWheel(index, LIBRARY_FILES);
  const other = { ...wheel, sha256: '0'.repeat(64) };
  const installing = installLibrary(cache, other, { env: offlineEnvironment(index), observe: ignore });
  await expect(installing).rejects.toMatchObject({ code: 'download-altered' });
  expect(await readdir(cache)).toEqual([]);
});

test('an index without the wheel is an error that quotes pip', async () => {
  const index = temporaryFolder();
  const { wheel } = writeSmallWheel(temporaryFolder(), LIBRARY_FILES);
  const options = { env: offlineEnvironment(index), onBytes: ignore };
  await expect(downloadWheel(wheel, temporaryFolder(), options)).rejects.toMatchObject({
    code: 'download-failed',
    message: expect.stringContaining('No matching distribution found for gess-sample==1.0') as string,
  });
});

test.runIf(isLong)('an index that cannot be reached is an error that quotes pip', async () => {
  const { wheel } = writeSmallWheel(temporaryFolder(), LIBRARY_FILES);
  // Nobody listens on port 1.
  const network = { PIP_INDEX_URL: 'http://127.0.0.1:1/simple', PIP_RETRIES: '0', PIP_NO_INDEX: undefined };
  const env = { ...offlineEnvironment(temporaryFolder()), ...network, no_proxy: '127.0.0.1' };
  await expect(downloadWheel(wheel, temporaryFolder(), { env, onBytes: ignore })).rejects.toMatchObject({
    code: 'download-failed',
    message: expect.stringMatching(/pip said: .+ \| ERROR: .+/) as string,
  });
});

test('without Python, the message reports that', async () => {
  const { wheel } = writeSmallWheel(temporaryFolder(), LIBRARY_FILES);
  const options = { env: { PATH: temporaryFolder() }, onBytes: ignore };
  await expect(downloadWheel(wheel, temporaryFolder(), options)).rejects.toMatchObject({
    code: 'python-missing',
    message: expect.stringContaining('no Python') as string,
  });
});

test('with a Python without pip, the message reports that', async () => {
  const { wheel } = writeSmallWheel(temporaryFolder(), LIBRARY_FILES);
  const where = await runCommand(['python3'], ['-c', 'import sys; print(sys.executable)'], process.env);
  const folder = temporaryFolder();
  // Without the site module, Python does not search the folder in which pip is installed.
  await writeFile(join(folder, 'python3'), `#!/bin/sh\nexec ${where!.stdout.trim()} -S "$@"\n`);
  await chmod(join(folder, 'python3'), 0o755);
  const options = { env: { PATH: folder }, onBytes: ignore };
  await expect(downloadWheel(wheel, temporaryFolder(), options)).rejects.toMatchObject({
    code: 'python-missing',
    message: expect.stringMatching(/Python 3\.\S+ without pip/) as string,
  });
});

test('a lack of disk space is reported before the download', async () => {
  const cache = temporaryFolder();
  const { wheel } = writeSmallWheel(temporaryFolder(), LIBRARY_FILES);
  const huge = { ...wheel, unpackedBytes: 1e18 };
  const installing = installLibrary(cache, huge, { env: { PATH: '' }, observe: ignore });
  await expect(installing).rejects.toMatchObject({ code: 'disk-space' });
  expect(await readdir(cache)).toEqual([]);
});

test('a wheel without the library is refused', async () => {
  const { path } = writeSmallWheel(temporaryFolder(), { 'tensorflow/libtensorflow_cc.so.2': 'cc' });
  await expect(unpackLibrary(path, temporaryFolder(), ignore)).rejects.toMatchObject({
    code: 'download-altered',
    message: expect.stringContaining('libtensorflow_framework.so.2') as string,
  });
});

test('a file that is not a zip archive is refused', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'out'));
  await writeFile(join(folder, 'a.whl'), 'no zip file');
  const unpacking = unpackLibrary(join(folder, 'a.whl'), join(folder, 'out'), ignore);
  await expect(unpacking).rejects.toMatchObject({ code: 'download-altered' });
});
