import { type Command, Option } from '@commander-js/extra-typings';
import { countWithPauses } from '../../inspection/long-perft.js';
import {
  gameOption,
  movesOption,
  openPosition,
  positionOption,
  rulesOption,
} from '../../options/game-options.js';
import { wholeNumber } from '../../options/numbers.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { countOf } from '../../../env/text/count-of.js';

/** Deeper trees would take more than a lifetime in every game here, and their counts would exceed 2^53. */
const MAX_DEPTH = 20;
/** Counted within seconds in every game here: no progress is shown. */
const QUICK_DEPTH = 3;

/** `gess perft <depth>`: counts the positions below a position, to compare and time rules engines. */
export function definePerft(command: Command, output: Output): void {
  command
    .argument('<depth>', 'plies', wholeNumber(MAX_DEPTH))
    .addOption(
      new Option('--last-ply <how>', "count the last ply's moves in bulk, list them, or play each")
        .choices(['count', 'list', 'play'])
        .default('count'),
    )
    .option('--json', 'print one JSON object')
    .addOption(gameOption)
    .addOption(rulesOption)
    .addOption(positionOption)
    .addOption(movesOption)
    .action(async (depth, options) => {
      const { game, state } = openPosition(options);
      const start = performance.now();
      const progress = createProgress(output, '%');
      if (depth > QUICK_DEPTH) progress.start(`gess perft: depth ${depth}`);
      const { lastPly } = options;
      let nodes: number;
      try {
        nodes = await countWithPauses(game, state, { depth, lastPly }, (share) => {
          progress.update(Math.floor(100 * share), 100);
        });
      } finally {
        progress.stop();
      }
      const seconds = (performance.now() - start) / 1000;
      const nodesPerSecond = Math.round(nodes / Math.max(seconds, 1e-6));
      const text = `${countOf(nodes, 'position')} at depth ${depth}, ${(nodesPerSecond / 1e6).toFixed(1)} million a second`;
      output.result(options.json === true ? JSON.stringify({ nodes, depth, nodesPerSecond }) : text);
    });
}
