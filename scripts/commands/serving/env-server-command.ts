import type { Command } from '@commander-js/extra-typings';
import { EnvSession, serveEnvironments } from '../../env-server/server.js';
import { standardInput } from '../../line-protocol/standard-input.js';
import { gameModuleOption } from '../../options/game-options.js';
import { type Output, writeToStdout } from '../../output.js';

/** `gess env-server`: serves environments to programs in other languages. Answers the lines and frames of `input`. */
export function defineEnvServer(
  command: Command,
  output: Output,
  input: () => AsyncIterable<Uint8Array> = standardInput,
): void {
  command
    .addHelpText('after', '\nThe server ends at the end of stdin.')
    .addOption(gameModuleOption)
    .action(async () => {
      const session = new EnvSession((error) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        output.message(`gess env-server: ${text}`);
      });
      await serveEnvironments(session, input(), { output, write: writeToStdout });
    });
}
