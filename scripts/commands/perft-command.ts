import { Command, Option } from 'commander';
import { countPositions, type LastPly } from '../../env/perft.js';
import {
  addPositionOptions,
  openPosition,
  type PositionOptions,
  wholeNumber,
} from '../options/game-options.js';
import type { Output } from '../output.js';

/** Deeper trees of any game here would take more than a lifetime, and counts be no longer exact. */
const MAX_DEPTH = 20;

interface PerftOptions extends PositionOptions {
  readonly lastPly: LastPly;
  readonly json?: true;
}

/** `gess perft <depth>`: counts the positions below one, to compare rules engines and time them. */
export function perftCommand(output: Output): Command {
  const command = new Command('perft')
    .description('count the positions some plies below one')
    .argument('<depth>', 'plies', wholeNumber(MAX_DEPTH))
    .addOption(
      new Option('--last-ply <how>', "count the last ply's moves in bulk, list them, or play each")
        .choices(['count', 'list', 'play'])
        .default('count'),
    )
    .option('--json', 'print one JSON object');
  return addPositionOptions(command).action((depth: number, options: PerftOptions) => {
    const { game, state } = openPosition(options);
    const start = performance.now();
    const nodes = countPositions(game, state, depth, options.lastPly);
    const seconds = (performance.now() - start) / 1000;
    const nodesPerSecond = Math.round(nodes / Math.max(seconds, 1e-6));
    const text = `${nodes} positions at depth ${depth}, ${(nodesPerSecond / 1e6).toFixed(1)} million a second`;
    output.result(options.json === true ? JSON.stringify({ nodes, depth, nodesPerSecond }) : text);
  });
}
