import { type Command, Option } from '@commander-js/extra-typings';
import { rescoreDataset } from '../../training/learning/rescoring.js';
import {
  outOption,
  sampleOption,
  seedOption,
  whereOption,
  withProgress,
} from '../options/dataset-options.js';
import { shareOfOne } from '../options/numbers.js';
import { gameModuleOption } from '../options/game-options.js';
import type { Output } from '../output.js';
import { UsageError } from '../usage/usage-error.js';

/** `gess data rescore`: rows with recomputed values. */
export function defineDataRescore(command: Command, output: Output): void {
  command
    .argument('<paths...>', 'folders of shards, or shards')
    .option(
      '--agent <text>',
      'agent whose values replace the root values, such as alphabeta:depth=3 or policy:model=FILE',
    )
    .option(
      '--lambda <share>',
      'mix each root value with later ones and the result (TD(lambda)), 0 to 1',
      shareOfOne,
    )
    .addOption(new Option('--truncated <result>', 'result of games at the ply limit').choices(['draw']))
    .addOption(outOption)
    .addOption(whereOption)
    .addOption(sampleOption)
    .addOption(seedOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object')
    .action(async (sources, options) => {
      const { out, json, seed, agent = null, lambda = null, truncated } = options;
      if (agent === null && lambda === null && truncated === undefined) {
        throw new UsageError(
          command,
          'option-missing',
          'expected at least one of --agent, --lambda and --truncated',
        );
      }
      const rescoring = { agent, lambda, seed, drawsTruncated: truncated === 'draw' };
      const rows = await withProgress(output, options, (request) =>
        rescoreDataset({ ...request, sources }, rescoring),
      );
      output.result(json === true ? JSON.stringify({ out, rows }) : `${rows} rows in ${out}`);
    });
}
