import { type Command, Option } from '@commander-js/extra-typings';
import { countPositions } from '../../env/perft.js';
import {
  gameOption,
  movesOption,
  openPosition,
  positionOption,
  rulesOption,
} from '../options/game-options.js';
import { wholeNumber } from '../options/numbers.js';
import type { Output } from '../output.js';

/** Deeper trees would take more than a lifetime in every game here, and their counts exceed the exact integers. */
const MAX_DEPTH = 20;

/** `gess perft <depth>`: counts the positions below one, to compare rules engines and time them. */
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
    .action((depth, options) => {
      const { game, state } = openPosition(options);
      const start = performance.now();
      const nodes = countPositions(game, state, depth, options.lastPly);
      const seconds = (performance.now() - start) / 1000;
      const nodesPerSecond = Math.round(nodes / Math.max(seconds, 1e-6));
      const text = `${nodes} positions at depth ${depth}, ${(nodesPerSecond / 1e6).toFixed(1)} million a second`;
      output.result(options.json === true ? JSON.stringify({ nodes, depth, nodesPerSecond }) : text);
    });
}
