import type { Command } from '@commander-js/extra-typings';
import { createEnvServer, errorAnswer, MAX_LINE_BYTES } from '../env-server/server.js';
import { inputLines, OVERLONG } from '../env-server/input-lines.js';
import { RequestError } from '../env-server/requests.js';
import { gameModuleOption } from '../options/game-options.js';
import type { Output } from '../output.js';

/** `gess env-server`: environments for programs in other languages. It answers the lines of `input`. */
export function defineEnvServer(
  command: Command,
  output: Output,
  input: () => AsyncIterable<Uint8Array> = () => process.stdin,
): void {
  command
    .addHelpText('after', '\ndocs/envs/protocol.md describes the lines. The server ends at the end of stdin.')
    .addOption(gameModuleOption)
    .action(async () => {
      const answer = createEnvServer();
      const tooLong = new RequestError('request-size', `expected a line of at most ${MAX_LINE_BYTES} bytes`);
      for await (const line of inputLines(input(), MAX_LINE_BYTES)) {
        if (line === OVERLONG) output.result(errorAnswer(null, tooLong));
        else if (line.trim() !== '') output.result(answer(line));
      }
    });
}
