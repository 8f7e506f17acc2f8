import { expect, test } from 'vitest';
import { z } from 'zod';
import { doctorCommand } from '../../scripts/commands/doctor-command.js';
import { setupCommand } from '../../scripts/commands/setup-command.js';
import type { Output } from '../../scripts/output.js';
import { setupProgress } from '../../scripts/progress/setup-progress-bar.js';
import { TENSORFLOW_WHEEL } from '../../training/tensorflow/native/wheel.js';

interface Recorded extends Output {
  readonly results: readonly string[];
  readonly messages: readonly string[];
}

function recordedOutput(): Recorded {
  const results: string[] = [];
  const messages: string[] = [];
  return {
    results,
    messages,
    interactive: false,
    result: (text) => results.push(text),
    message: (text) => messages.push(text),
  };
}

const Report = z.strictObject({
  done: z.array(z.string()),
  tensorflow: z.string().nullable(),
  cache: z.string(),
  library: z.string(),
  binding: z.string(),
});

test('gess setup --json prints one object, and does nothing where all is done', async () => {
  const output = recordedOutput();
  await setupCommand(output).parseAsync(['--json'], { from: 'user' });
  expect(output.messages).toEqual([]);
  const report = Report.parse(JSON.parse(output.results.join('')));
  expect(report.done).toEqual([]);
});

test('gess setup says where the cache is, to people', async () => {
  const output = recordedOutput();
  await setupCommand(output).parseAsync([], { from: 'user' });
  expect(output.results).toEqual([]);
  expect(output.messages).toEqual([expect.stringContaining('is set up (cache: ')]);
});

test('gess doctor prints a table, or one object', async () => {
  const table = recordedOutput();
  await doctorCommand(table).parseAsync([], { from: 'user' });
  expect(table.results.join('')).toMatch(/^backend +native$/m);
  const object = recordedOutput();
  await doctorCommand(object).parseAsync(['--json'], { from: 'user' });
  expect(JSON.parse(object.results.join(''))).toMatchObject({
    backend: 'native',
    versions: { tensorflow: TENSORFLOW_WHEEL.version },
    lacks: [],
  });
});

test('without a terminal the steps of a set-up are a few plain lines', () => {
  const output = recordedOutput();
  const { observe } = setupProgress(output);
  for (let percent = 0; percent <= 100; percent++) observe('download', percent / 100);
  observe('compile', null);
  observe('compile', null);
  expect(output.messages).toEqual([
    'gess: downloading TensorFlow',
    'gess: downloading TensorFlow 25 %',
    'gess: downloading TensorFlow 50 %',
    'gess: downloading TensorFlow 75 %',
    'gess: downloading TensorFlow 100 %',
    'gess: compiling its binding',
  ]);
});
