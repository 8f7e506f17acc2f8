import { Command } from 'commander';
import { mergeDatasets } from '../../data/datasets/dataset-tools.js';
import { addDatasetOptions, type DatasetOptions, withProgress } from '../options/dataset-options.js';
import type { Output } from '../output.js';

/** `gess data merge`: several datasets as one, or some rows of one. */
export function dataMergeCommand(output: Output): Command {
  const command = new Command('merge')
    .description('put the rows of datasets of the same game and rules into one, all or some of them')
    .argument('<paths...>', 'folders of shards, or shards');
  return addDatasetOptions(command).action(async (sources: readonly string[], options: DatasetOptions) => {
    const rows = await withProgress(output, options, (request) => mergeDatasets({ ...request, sources }));
    const { out, json } = options;
    output.result(json === true ? JSON.stringify({ out, rows }) : `${rows} rows in ${out}`);
  });
}
