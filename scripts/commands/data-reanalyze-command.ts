import type { Command } from '@commander-js/extra-typings';
import { reanalyzeDataset } from '../../training/learning/reanalysis.js';
import {
  outOption,
  sampleOption,
  seedOption,
  whereOption,
  withProgress,
} from '../options/dataset-options.js';
import { gameModuleOption } from '../options/game-options.js';
import { parseSearchText } from '../options/search-text.js';
import type { Output } from '../output.js';

/** `gess data reanalyze`: rows with the policies and values of new searches. */
export function defineDataReanalyze(command: Command, output: Output): void {
  command
    .argument('<paths...>', 'folders of shards, or shards')
    .requiredOption('--model <path>', 'network: an ONNX file, or the folder of a checkpoint or an export')
    .requiredOption('--search <text>', 'settings of the search, such as root=gumbel,simulations=64')
    .addOption(outOption)
    .addOption(whereOption)
    .addOption(sampleOption)
    .addOption(seedOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object')
    .action(async (sources, options) => {
      const { out, json, seed, model, search: searchText } = options;
      const reanalysis = { model, search: parseSearchText(searchText), searchText, seed };
      const rows = await withProgress(output, options, (request) =>
        reanalyzeDataset({ ...request, sources }, reanalysis),
      );
      output.result(json === true ? JSON.stringify({ out, rows }) : `${rows} rows in ${out}`);
    });
}
