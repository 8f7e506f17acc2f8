import assert from 'node:assert/strict';
import { Command } from '@commander-js/extra-typings';
import fc from 'fast-check';
import { MAX_MESSAGE_LENGTH } from '../../../env/text/quoted-text.js';
import { defineEngine } from '../../../scripts/commands/serving/engine-command.js';
import { captureOutput } from '../../scripts/captured-output.js';
import { fuzz } from '../fuzz.js';
import { ANALYSIS_WORDS, analysisQueries } from './analysis-query-texts.js';
import { hostileStream } from './hostile-stream.js';

/** Follows every input, and must be answered whatever the input was. */
const LAST = '{"id": "last query", "action": "query_version"}';

// eslint-disable-next-line @typescript-eslint/require-await -- a stream is asynchronous, but its pieces exist already
async function* streamOf(pieces: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

const soundQueries = fc.array(
  analysisQueries.map((line) => Buffer.from(`${line}\n`)),
  { maxLength: 3 },
);

fuzz('the input of the analysis mode', {
  input: fc.tuple(soundQueries, fc.oneof(fc.constant([]), hostileStream(analysisQueries, ANALYSIS_WORDS))),
  runs: 40,
  law: async ([sound, hostile]) => {
    const pieces = [...sound, ...hostile];
    const output = captureOutput();
    const command = new Command('engine');
    defineEngine(command, output, () => streamOf([...pieces, Buffer.from(`\n${LAST}\n`)]));
    await command.parseAsync(['--json', '--agent', 'random', '--game', 'connect-four'], { from: 'user' });
    assert.deepEqual(output.messages, []);
    const answers = output.results.map(
      (line) => JSON.parse(line) as { id: unknown; error?: { code: string; message: string } },
    );
    assert.ok(answers.some(({ id }) => id === 'last query'));
    const errors = answers.flatMap(({ error }) => error ?? []);
    for (const { code, message } of errors) {
      assert.match(code, /^[a-z]+(-[a-z]+)*$/);
      assert.notEqual(code, 'internal', message);
      assert.ok(message.length > 5 && message.length <= MAX_MESSAGE_LENGTH);
      assert.doesNotMatch(message, /[\p{Cc}\p{Cf}]/u);
    }
    return errors.length === 0;
  },
});
