import { expect, test } from 'vitest';
import { createProgram } from '../../../scripts/program.js';
import { captureOutput } from '../captured-output.js';

test('gess doctor names both backends of TensorFlow.js', async () => {
  const output = captureOutput();
  // Fails, after its table, on a machine that lacks something.
  await createProgram(output)
    .parseAsync(['doctor'], { from: 'user' })
    .catch(() => undefined);
  expect(output.results[0]).toMatch(/\ntfjs-node +\S+\ntfjs-wasm +\d\S+\n/);
});
