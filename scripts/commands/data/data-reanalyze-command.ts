import type { Command } from '@commander-js/extra-typings';
import { reanalyzeDataset } from '../../../training/learning/targets/reanalysis.js';
import { makeDataset, withDatasetFlags } from '../../options/dataset-options.js';
import { parseSearchText } from '../../options/search-text.js';
import type { Output } from '../../output.js';

/** `gess data reanalyze`: rows with the policies and values of new searches. */
export function defineDataReanalyze(command: Command, output: Output): void {
  withDatasetFlags(command)
    .requiredOption(
      '--model <path>',
      'network: the name of a shipped one such as gess, an ONNX file, or the folder of a checkpoint or an export',
    )
    .requiredOption('--search <text>', 'settings of the search, such as root=gumbel,simulations=64')
    .action(async (sources, options) => {
      const { seed, model, search: searchText } = options;
      const reanalysis = { model, search: parseSearchText(searchText), searchText, seed };
      await makeDataset(command, output, options, async (request) => {
        const { rows, searched } = await reanalyzeDataset({ ...request, sources }, reanalysis);
        if (searched < rows)
          output.message(`gess data: ${rows - searched} of ${rows} rows are unchanged: they had no search`);
        return rows;
      });
    });
}
