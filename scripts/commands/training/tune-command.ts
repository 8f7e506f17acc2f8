import { type Command, Option } from '@commander-js/extra-typings';
import { TERM_NAMES } from '../../../env/gess/heuristics/gess-terms.js';
import { NAMED_GESS_WEIGHTS, type WeightsName } from '../../../env/gess/heuristics/gess-weights.js';
import { fitGessWeights, type GessFit } from '../../../training/tuning/gess-fitting.js';
import { nonNegativeNumber, seedNumber } from '../../options/numbers.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { listingNotes } from '../../progress/listing-notes.js';

function describe(start: WeightsName, fit: GessFit): string {
  const { positions, validationPositions, lossBefore, lossAfter, weights, scale } = fit;
  const before = NAMED_GESS_WEIGHTS[start];
  return [
    `${positions} positions fitted, ${validationPositions} of other games held back`,
    `cross-entropy of the latter: ${lossBefore.toFixed(4)} before, ${lossAfter.toFixed(4)} after`,
    ...TERM_NAMES.map((name) => `${name.padEnd(12)}${before[name]} -> ${weights[name]}`),
    `${'scale'.padEnd(12)}${scale}`,
  ].join('\n');
}

const WEIGHTS_NAMES = Object.keys(NAMED_GESS_WEIGHTS) as readonly WeightsName[];

/** `gess tune`: fits the weights of the evaluation of Gess to games. */
export function defineTune(command: Command, output: Output): void {
  command
    .requiredOption(
      '--data <paths...>',
      'shards of games, or their folders: gess selfplay --agent alphabeta:depth=1 --out FOLDER',
    )
    .option('--rules <text>', 'rules of those games', 'eureka')
    .addOption(new Option('--start <name>', 'initial weights').choices(WEIGHTS_NAMES).default('fitted'))
    .option(
      '--pull <n>',
      'strength of the pull towards the initial weights, as a number of positions',
      nonNegativeNumber,
      100,
    )
    .option('--seed <n>', 'seed of the choice of held-back games', seedNumber, 1)
    .option('--json', 'print one JSON object')
    .action(async (options) => {
      const progress = createProgress(output, 'shards');
      progress.start('gess tune: reading games');
      const onShard = progress.update.bind(progress);
      const fit = await fitGessWeights({ ...options, onShard, ...listingNotes(output) }).finally(() => {
        progress.stop();
      });
      output.result(options.json === true ? JSON.stringify(fit) : describe(options.start, fit));
    });
}
