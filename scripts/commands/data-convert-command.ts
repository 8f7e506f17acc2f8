import { Command, Option } from 'commander';
import { writeParquetDataset } from '../../data/datasets/parquet-dataset.js';
import { readParquetDataset } from '../../data/datasets/parquet-reading.js';
import { addDatasetOptions, type DatasetOptions, withProgress } from '../options/dataset-options.js';
import type { Output } from '../output.js';

interface ConvertOptions extends DatasetOptions {
  readonly to: 'parquet' | 'arrow';
}

/** `gess data convert`: the rows of datasets as Parquet files, and back. */
export function dataConvertCommand(output: Output): Command {
  const command = new Command('convert')
    .description('write the rows of datasets to a folder of Parquet files, or of those to shards')
    .argument('<paths...>', 'folders of shards, or shards; with --to arrow of Parquet files')
    .addOption(
      new Option('--to <format>', 'what is written').choices(['parquet', 'arrow']).default('parquet'),
    );
  return addDatasetOptions(command).action(async (sources: readonly string[], options: ConvertOptions) => {
    const { out, json, to } = options;
    const rows = await withProgress(output, options, async (request) => {
      if (to === 'arrow') return readParquetDataset({ ...request, sources });
      return (await writeParquetDataset({ ...request, sources })).rows;
    });
    output.result(json === true ? JSON.stringify({ out, rows }) : `${rows} rows in ${out}`);
  });
}
