import type { Command } from '@commander-js/extra-typings';
import { createEnvServer } from '../env-server/server.js';
import { answerLines } from '../line-protocol/answered-lines.js';
import { errorAnswer, RequestError } from '../line-protocol/json-requests.js';
import { gameModuleOption } from '../options/game-options.js';
import type { Output } from '../output.js';

/** `gess env-server`: serves environments to programs in other languages. Answers the lines of `input`. */
export function defineEnvServer(
  command: Command,
  output: Output,
  input: () => AsyncIterable<Uint8Array> = () => process.stdin,
): void {
  command
    .addHelpText('after', '\ndocs/envs/protocol.md describes the lines. The server ends at the end of stdin.')
    .addOption(gameModuleOption)
    .action(async () => {
      const answer = createEnvServer((error) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        output.message(`gess env-server: ${text}`);
      });
      await answerLines(output, input(), {
        answer,
        refuse: (error) => errorAnswer(null, error),
        errorOf: (code, message) => new RequestError(code, message),
      });
    });
}
