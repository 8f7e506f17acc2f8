import { type Command, Option } from '@commander-js/extra-typings';
import { readParquetDataset, writeParquetDataset } from '../../../data/datasets/parquet-dataset.js';
import { makeDataset, withDatasetFlags } from '../../options/dataset-options.js';
import type { Output } from '../../output.js';

/** `gess data convert`: the rows of datasets as Parquet files, and back. */
export function defineDataConvert(command: Command, output: Output): void {
  withDatasetFlags(
    command,
    'folders of shards, or shards; with --to arrow: folders of Parquet files, or Parquet files',
  )
    .addOption(
      new Option('--to <format>', 'format of the new files').choices(['parquet', 'arrow']).default('parquet'),
    )
    .action((sources, options) =>
      makeDataset(command, output, options, async (request) => {
        if (options.to === 'arrow') return readParquetDataset({ ...request, sources });
        return (await writeParquetDataset({ ...request, sources })).rows;
      }),
    );
}
