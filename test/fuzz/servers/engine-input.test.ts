import assert from 'node:assert/strict';
import { Command } from '@commander-js/extra-typings';
import { MAX_MESSAGE_LENGTH } from '../../../env/text/quoted-text.js';
import { defineEngine } from '../../../scripts/commands/serving/engine-command.js';
import { captureOutput } from '../../scripts/captured-output.js';
import { fuzz } from '../fuzz.js';
import { ENGINE_WORDS, engineLines } from './engine-texts.js';
import { hostileStream } from './hostile-stream.js';

/** Follows every input and ends the engine. */
const QUIT = Buffer.from('\nquit\n');
const ERROR = /^info string error \[([a-z]+(?:-[a-z]+)*)\] (.+)$/;

// eslint-disable-next-line @typescript-eslint/require-await -- a stream is asynchronous, but its pieces exist already
async function* streamOf(pieces: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

fuzz('the input of the engine', {
  input: hostileStream(engineLines, ENGINE_WORDS),
  runs: 40,
  law: async (pieces) => {
    const output = captureOutput();
    const command = new Command('engine');
    defineEngine(command, output, () => streamOf([...pieces, QUIT]));
    await command.parseAsync(['--agent', 'random', '--game', 'connect-four'], { from: 'user' });
    assert.deepEqual(output.messages, []);
    const errors = output.results.flatMap((line) => ERROR.exec(line) ?? []);
    for (const line of output.results.filter((text) => text.startsWith('info string error'))) {
      const [, code, message = ''] = ERROR.exec(line) ?? assert.fail(line.slice(0, 200));
      assert.notEqual(code, 'internal', message);
      assert.ok(message.length > 10 && message.length <= MAX_MESSAGE_LENGTH);
      assert.doesNotMatch(message, /[\p{Cc}\p{Cf}]/u);
    }
    return errors.length === 0;
  },
});
