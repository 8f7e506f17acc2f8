import type { Command } from '@commander-js/extra-typings';
import { expectRunFile } from '../../../training/run/run-folder.js';
import { expectOwnGame, gameModuleOption } from '../../options/game-options.js';
import type { Output } from '../../output.js';
import { isMovable } from '../../terminal/movable-terminal.js';
import { timesOf } from '../../training/run-figures.js';
import { type RunMoment, RunReader } from '../../training/run-reader.js';
import { watchInLines, watchOnScreen } from '../../training/watching.js';
import { watchLine } from '../../training/watch-text.js';
import { onSignals } from '../../stopping/signals.js';

const declareFlags = (command: Command) =>
  command
    .argument('<run>', 'the folder of the run')
    .option('--once', 'show the current state and exit')
    .option('--json', 'print one JSON object and exit')
    .addOption(gameModuleOption);

/** The object of `--json`. */
function jsonOf(moment: RunMoment, now: number): object {
  const { folder, config, status, live, metrics, evaluations, game, lastGame } = moment;
  return {
    folder,
    status,
    game: config.game.id,
    rules: game.rules,
    generations: config.generations,
    generation: metrics.at(-1)?.generation ?? 0,
    live,
    ...timesOf(moment, now),
    metrics: metrics.at(-1) ?? null,
    evaluation: evaluations.at(-1) ?? null,
    lastGame: lastGame && { plies: lastGame.plies, position: game.formatPosition(lastGame.state) },
  };
}

/** `gess watch`: a run of this or another process, live; it never writes to the run. */
export function defineWatch(command: Command, output: Output): void {
  declareFlags(command).action(async (folder, { once, json }) => {
    expectOwnGame(command, (await expectRunFile(folder)).config.game.id, `the run in ${folder}`);
    if (once === true || json === true) {
      const moment = await new RunReader(folder).read();
      const now = Date.now() / 1000;
      output.result(json === true ? JSON.stringify(jsonOf(moment, now)) : watchLine(moment, now));
      return;
    }
    const controller = new AbortController();
    const dispose = onSignals(() => {
      controller.abort();
    });
    try {
      if (isMovable(process.stdout, process.env)) await watchOnScreen(folder, controller);
      else await watchInLines(output, folder, controller.signal);
    } finally {
      dispose();
    }
  });
}
