import { Command } from '@commander-js/extra-typings';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineEnvServer } from '../../../scripts/commands/serving/env-server-command.js';
import { inputLines, OVERLONG } from '../../../env/processes/input-lines.js';
import { MAX_LINE_BYTES } from '../../../scripts/line-protocol/answered-lines.js';
import { captureOutput } from '../../scripts/captured-output.js';

describe('lines of input', () => {
  async function collect(chunks: readonly Uint8Array[], most = 20): Promise<unknown[]> {
    const lines: unknown[] = [];
    for await (const line of inputLines(streamOf(chunks), most)) lines.push(line);
    return lines;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a stream is asynchronous, its chunks are known
  async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }

  test('do not depend on the chunks of the stream', async () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '♞', ' '), maxLength: 12 }), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(fc.nat({ max: 9 })),
        fc.constantFrom('\n', '\r\n'),
        async (lines, cuts, end) => {
          const bytes = Buffer.from(lines.map((line) => line + end).join(''));
          const chunks: Uint8Array[] = [];
          let from = 0;
          for (const cut of cuts) chunks.push(bytes.subarray(from, (from += cut)));
          chunks.push(bytes.subarray(from));
          expect(await collect(chunks, 100)).toEqual(lines);
        },
      ),
    );
  });

  test('need no final line end, and are skipped if too long', async () => {
    const long = Buffer.from('x'.repeat(21));
    const chunks = [
      Buffer.from('one\n'),
      long,
      long,
      Buffer.from('\ntwo\n'),
      Buffer.from('x'.repeat(20)),
      long,
    ];
    expect(await collect(chunks)).toEqual(['one', OVERLONG, 'two', OVERLONG]);
    expect(await collect([Buffer.from('one\ntwo')])).toEqual(['one', 'two']);
  });

  test('are answered in order by the command, which ends with the input', async () => {
    const output = captureOutput();
    const requests = ['{"id":1,"method":"hello"}', '', '{"id":2,"method":"spec","params":{"env":1}}', 'x'];
    const long = Buffer.alloc(MAX_LINE_BYTES + 1, 'x');
    const chunks = [Buffer.from(requests.join('\n')), Buffer.from('\n'), long];
    const command = new Command('env-server');
    defineEnvServer(command, output, () => streamOf(chunks));
    await command.parseAsync([], { from: 'user' });
    expect(output.messages).toEqual([]);
    expect(output.results.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: 1, result: { protocol: 1 } },
      { id: 2, error: { code: 'env-closed' } },
      { id: null, error: { code: 'request-syntax' } },
      { id: null, error: { code: 'request-size' } },
    ]);
  });
});
