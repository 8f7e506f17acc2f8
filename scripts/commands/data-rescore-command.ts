import { Command, Option } from 'commander';
import { rescoreDataset } from '../../training/learning/rescoring.js';
import {
  addDatasetOptions,
  type DatasetOptions,
  shareOfOne,
  withProgress,
} from '../options/dataset-options.js';
import type { Output } from '../output.js';

interface RescoreOptions extends DatasetOptions {
  readonly agent?: string;
  readonly lambda?: number;
  readonly truncated?: 'draw';
}

/** `gess data rescore`: rows with values found anew. */
export function dataRescoreCommand(output: Output): Command {
  const command = new Command('rescore')
    .description('make a dataset with other values: of an agent, of what came after, of truncated games')
    .argument('<paths...>', 'folders of shards, or shards')
    .option(
      '--agent <text>',
      'its value becomes the root value, such as alphabeta:depth=3 or policy:model=FILE',
    )
    .option('--lambda <share>', 'mixes root values with those after them and the result, 0 to 1', shareOfOne)
    .addOption(new Option('--truncated <result>', 'what games at the ply limit count as').choices(['draw']));
  return addDatasetOptions(command).action(async (sources: readonly string[], options: RescoreOptions) => {
    const { out, json, seed, agent = null, lambda = null, truncated } = options;
    if (agent === null && lambda === null && truncated === undefined) {
      command.error('error: expected at least one of --agent, --lambda and --truncated');
    }
    const rescoring = { agent, lambda, seed, drawsTruncated: truncated === 'draw' };
    const rows = await withProgress(output, options, (request) =>
      rescoreDataset({ ...request, sources }, rescoring),
    );
    output.result(json === true ? JSON.stringify({ out, rows }) : `${rows} rows in ${out}`);
  });
}
