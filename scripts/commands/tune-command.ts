import { Command, InvalidArgumentError, Option } from 'commander';
import { TERM_NAMES } from '../../agents/heuristics/gess-terms.js';
import { NAMED_GESS_WEIGHTS, type WeightsName } from '../../agents/heuristics/evaluations.js';
import { fitGessWeights, type GessFit } from '../../training/tuning/gess-fitting.js';
import { wholeNumber } from '../options/game-options.js';
import type { Output } from '../output.js';

interface TuneOptions {
  readonly data: readonly string[];
  readonly rules: string;
  readonly start: WeightsName;
  readonly pull: number;
  readonly seed: number;
  readonly json?: true;
}

function describe(start: WeightsName, fit: GessFit): string {
  const { positions, validationPositions, lossBefore, lossAfter, weights, scale } = fit;
  const before = NAMED_GESS_WEIGHTS[start];
  return [
    `${positions} positions fitted, ${validationPositions} of other games held back`,
    `cross entropy of those ${lossBefore.toFixed(4)} before, ${lossAfter.toFixed(4)} after`,
    ...TERM_NAMES.map((name) => `${name.padEnd(12)}${before[name]} -> ${weights[name]}`),
    `${'scale'.padEnd(12)}${scale}`,
  ].join('\n');
}

function notNegative(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number, 0 or more.');
}

/** `gess tune`: fits the weights of the evaluation of Gess to games. */
export function tuneCommand(output: Output): Command {
  return new Command('tune')
    .description('fit the weights of the evaluation of Gess to the results of games')
    .requiredOption(
      '--data <paths...>',
      'folders of shards of games, or shards: gess selfplay --agent alphabeta:depth=1 --out FOLDER',
    )
    .option('--rules <text>', 'of those games', 'eureka')
    .addOption(
      new Option('--start <name>', 'the weights to start from')
        .choices(Object.keys(NAMED_GESS_WEIGHTS))
        .default('fitted'),
    )
    .option('--pull <n>', 'how strongly weights stay: as this many positions would say', notNegative, 100)
    .option('--seed <n>', 'chooses the games that are held back', wholeNumber(Number.MAX_SAFE_INTEGER), 1)
    .option('--json', 'print one JSON object')
    .action(async (options: TuneOptions) => {
      const fit = await fitGessWeights(options);
      output.result(options.json === true ? JSON.stringify(fit) : describe(options.start, fit));
    });
}
