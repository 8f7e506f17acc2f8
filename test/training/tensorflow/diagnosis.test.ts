import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedSources } from '../../../training/tensorflow/native/binding.js';
import { diagnose } from '../../../training/tensorflow/diagnosis.js';
import { TENSORFLOW_WHEEL } from '../../../training/tensorflow/native/wheel.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

test('a complete installation lacks nothing, even without the tools of the set-up', async () => {
  const env = { ...process.env, PATH: '' };
  const { lacks, versions, backend, threads, cache } = await diagnose({ env });
  expect(lacks).toEqual([]);
  expect(backend).toBe('native');
  expect(versions).toMatchObject({
    node: process.versions.node,
    tensorflow: TENSORFLOW_WHEEL.version,
    python: null,
    pip: null,
    compiler: null,
  });
  expect(threads).toBe(availableParallelism());
  expect(cache.bytes).toBeGreaterThan(TENSORFLOW_WHEEL.bytes);
});

test('without TensorFlow, the missing tools of the set-up are listed', async () => {
  const sources = { ...installedSources(), packageFolder: temporaryFolder() };
  const { lacks, backend, versions } = await diagnose({
    env: { PATH: '', GESS_CACHE: join(temporaryFolder(), 'none') },
    sources,
  });
  expect(backend).toBe('wasm');
  expect(versions.wasm).toBe('4.22.0');
  expect(versions.tensorflow).toBeNull();
  expect(lacks.map(({ remedy }) => remedy)).toEqual([
    'on Debian: apt-get install python3-pip',
    'on Debian: apt-get install g++',
    'npx gess setup',
  ]);
});
