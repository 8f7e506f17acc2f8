import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { cpuFeatures } from '../../../training/tensorflow/native/platform.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';

const ROOT = join(import.meta.dirname, '../../..');

test('computes values and gradients on the native backend', () => {
  const tf = loadTensorflow({ threads: 2 });
  expect(tf.getBackend()).toBe('tensorflow');
  const slope = tf.tidy(() =>
    tf
      .grad((x) => x.square().sum())(tf.tensor1d([1, 2, 3]))
      .dataSync(),
  );
  expect([...slope]).toEqual([2, 4, 6]);
});

test('the functions of node:util that the package calls exist in every version of Node', () => {
  const tf = loadTensorflow({ threads: 2 });
  // These go through util.isNullOrUndefined and util.isArray.
  const { values, indices } = tf.topk(tf.tensor1d([3, 1, 2]), 2);
  expect([...values.dataSync(), ...indices.dataSync()]).toEqual([3, 2, 0, 2]);
  tf.dispose([values, indices]);
});

test('a process has one number of threads', () => {
  loadTensorflow({ threads: 2 });
  expect(() => loadTensorflow({ threads: 1 })).toThrow(
    expect.objectContaining({ code: 'tensorflow-threads' }) as Error,
  );
});

test('a process has one precision', () => {
  loadTensorflow({ threads: 2, precision: 'float32' });
  expect(() => loadTensorflow({ threads: 2, precision: 'bfloat16' })).toThrow(
    expect.objectContaining({ code: 'tensorflow-precision' }) as Error,
  );
});

test.runIf(isLong)('bfloat16 rounds on processors with AMX, float32 never', () => {
  const program = (precision: string): string => `
    const { loadTensorflow } = await import(${JSON.stringify(join(ROOT, 'dist/training/tensorflow/tensorflow.js'))});
    const { multipliesInBfloat16 } = await import(${JSON.stringify(join(ROOT, 'dist/training/tensorflow/bfloat16-probe.js'))});
    console.log(multipliesInBfloat16(loadTensorflow({ threads: 1, precision: '${precision}' })));
  `;
  const found = ['float32', 'bfloat16'].map((precision) => {
    const args = ['--input-type=module', '-e', program(precision)];
    return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim();
  });
  expect(found).toEqual(['false', String(cpuFeatures()?.amx ?? false)]);
});

test('an operation uses the requested number of threads', () => {
  const program = (threads: number): string => `
    const { loadTensorflow } = await import(${JSON.stringify(join(ROOT, 'dist/training/tensorflow/tensorflow.js'))});
    const { readdirSync } = await import('node:fs');
    const tf = loadTensorflow({ threads: ${threads} });
    tf.matMul(tf.ones([256, 256]), tf.ones([256, 256])).dataSync();
    console.log(readdirSync('/proc/self/task').length);
  `;
  const tasks = [1, 4].map((threads) => {
    const args = ['--input-type=module', '-e', program(threads)];
    return Number(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
  });
  expect(tasks[1]! - tasks[0]!).toBe(3);
});

/** The compiled loader in a folder whose `@tensorflow/tfjs-node` has no binding. */
function loaderWithoutBinding(): string {
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.gess-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const isCode = (path: string): boolean => !/\.(?:map|d\.ts)$/.test(path);
  for (const name of ['env', 'data', 'training']) {
    cpSync(join(ROOT, 'dist', name), join(folder, name), { recursive: true, filter: isCode });
  }
  const tfjsNode = join('node_modules', '@tensorflow', 'tfjs-node');
  mkdirSync(join(folder, tfjsNode), { recursive: true });
  for (const name of ['dist', 'package.json']) {
    cpSync(join(ROOT, tfjsNode, name), join(folder, tfjsNode, name), { recursive: true });
  }
  return join(folder, 'training', 'tensorflow', 'tensorflow.js');
}

test('without the binding the error names the command that installs it', () => {
  const program = `
    const { loadTensorflow } = await import(${JSON.stringify(loaderWithoutBinding())});
    try { loadTensorflow({ threads: 1 }); } catch (error) { console.log(error.code, error.message); }
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^tensorflow-missing .*npx gess setup/);
});
