import type { Command } from '@commander-js/extra-typings';
import { createGame } from '../../../env/games.js';
import { testEngine } from '../../engine/compliance-run.js';
import { gameOption, rulesOption } from '../../options/game-options.js';
import type { Output } from '../../output.js';

/** `gess engine-test "CMD"`: checks that a program follows docs/reference/engine.md. */
export function defineEngineTest(command: Command, output: Output): void {
  command
    .argument('<command>', 'command line that starts the engine, such as "gess engine --agent greedy"')
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption)
    .action(async (line, { game, rules, json }) => {
      const results = await testEngine(line, createGame(game, rules), ({ name, fault }) => {
        if (json !== true)
          output.result(fault === undefined ? `ok      ${name}` : `FAILED  ${name}: ${fault}`);
      });
      const failed = results.filter(({ fault }) => fault !== undefined).length;
      if (json === true) output.result(JSON.stringify({ passed: results.length - failed, failed, results }));
      else output.result(`${results.length - failed} passed, ${failed} failed`);
      if (failed > 0) process.exitCode = 1;
    });
}
