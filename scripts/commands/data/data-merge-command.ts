import type { Command } from '@commander-js/extra-typings';
import { mergeDatasets } from '../../../data/datasets/dataset-tools.js';
import { makeDataset, withDatasetFlags } from '../../options/dataset-options.js';
import type { Output } from '../../output.js';

/** `gess data merge`: several datasets as one, or some rows of one. */
export function defineDataMerge(command: Command, output: Output): void {
  withDatasetFlags(command).action((sources, options) =>
    makeDataset(command, output, options, (request) => mergeDatasets({ ...request, sources })),
  );
}
