import { expect, test } from 'vitest';
import * as z from 'zod';
import { setupProgress } from '../../../scripts/progress/setup-progress-bar.js';
import { TENSORFLOW_WHEEL } from '../../../training/tensorflow/native/wheel.js';
import { captureOutput, runGess } from '../captured-output.js';

const Report = z.strictObject({
  done: z.array(z.string()),
  tensorflow: z.string().nullable(),
  cache: z.string(),
  library: z.string(),
  binding: z.string(),
});

test('gess setup --json prints one object, and does nothing once everything is set up', async () => {
  const output = await runGess('setup', '--json');
  expect(output.messages).toEqual([]);
  const report = Report.parse(JSON.parse(output.results.join('')));
  expect(report.done).toEqual([]);
});

test('gess setup prints the folder of its cache', async () => {
  const output = await runGess('setup');
  expect(output.results).toEqual([]);
  expect(output.messages).toEqual([expect.stringContaining('is set up (cache: ')]);
});

test('gess doctor prints a table, or one object', async () => {
  const table = await runGess('doctor');
  expect(table.results.join('')).toMatch(/^backend +native$/m);
  expect(table.results.join('')).toMatch(/\ntfjs-node +\S+\ntfjs-wasm +\d\S+\n/);
  const object = await runGess('doctor', '--json');
  expect(JSON.parse(object.results.join(''))).toMatchObject({
    backend: 'native',
    versions: { tensorflow: TENSORFLOW_WHEEL.version },
    lacks: [],
  });
});

test('without a terminal a set-up prints a few lines', () => {
  const output = captureOutput();
  const { observe } = setupProgress(output);
  for (let percent = 0; percent <= 100; percent++) observe('download', percent / 100);
  observe('compile', null);
  observe('compile', null);
  // Lines of a stage follow after ten seconds and once a minute.
  expect(output.messages).toEqual(['gess: downloading TensorFlow', 'gess: compiling its binding']);
});
