import type { Command } from '@commander-js/extra-typings';
import { mergeDatasets } from '../../data/datasets/dataset-tools.js';
import {
  outOption,
  sampleOption,
  seedOption,
  whereOption,
  withProgress,
} from '../options/dataset-options.js';
import { gameModuleOption } from '../options/game-options.js';
import type { Output } from '../output.js';

/** `gess data merge`: several datasets as one, or some rows of one. */
export function defineDataMerge(command: Command, output: Output): void {
  command
    .argument('<paths...>', 'folders of shards, or shards')
    .addOption(outOption)
    .addOption(whereOption)
    .addOption(sampleOption)
    .addOption(seedOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object')
    .action(async (sources, options) => {
      const rows = await withProgress(output, options, (request) => mergeDatasets({ ...request, sources }));
      const { out, json } = options;
      output.result(json === true ? JSON.stringify({ out, rows }) : `${rows} rows in ${out}`);
    });
}
