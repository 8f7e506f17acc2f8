import type { Command } from '@commander-js/extra-typings';
import { MAX_LINE_BYTES } from '../line-protocol/answered-lines.js';
import { inputLines, NOT_UTF8, OVERLONG } from '../../env/processes/input-lines.js';
import { Engine } from '../engine/engine.js';
import { EngineError } from '../engine/engine-error.js';
import { gameOption, rulesOption } from '../options/game-options.js';
import { seedNumber } from '../options/numbers.js';
import type { Output } from '../output.js';

/** `gess engine`: an agent behind a text protocol like UCI's, for boards and match programs. */
export function defineEngine(
  command: Command,
  output: Output,
  input: () => AsyncIterable<Uint8Array> = () => process.stdin,
): void {
  command
    .option(
      '--agent <text>',
      'agent such as alphabeta:depth=4 (default: the shipped network, a second a move)',
    )
    .option('--seed <n>', 'seed of agents that play at random', seedNumber, 1)
    .addOption(gameOption)
    .addOption(rulesOption)
    .addHelpText(
      'after',
      '\ndocs/engine.md describes the lines. The engine ends after quit, or at the end of stdin.',
    )
    .action(async ({ agent, seed, game, rules }) => {
      let written = Promise.resolve();
      const engine = new Engine({ game, rules, agent, multiPv: 1, seed }, (line) => {
        written = output.line(line);
      });
      const tooLong = new EngineError('engine-size', `expected a line of at most ${MAX_LINE_BYTES} bytes`);
      const notText = new EngineError('engine-syntax', 'expected a line of UTF-8');
      try {
        let quits = false;
        for await (const line of inputLines(input(), MAX_LINE_BYTES)) {
          if (line === OVERLONG) engine.reportError(tooLong);
          else if (line === NOT_UTF8) engine.reportError(notText);
          else quits = !engine.receive(line);
          if (quits) break;
          // No further line is read while nobody reads the answers.
          await written;
        }
        await engine.finish(quits);
      } finally {
        await engine.close();
      }
    });
}
