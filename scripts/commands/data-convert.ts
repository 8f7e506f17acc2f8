import { Command } from 'commander';
import { writeParquetDataset } from '../../data/parquet-dataset.js';
import { addDatasetOptions, type DatasetOptions, withProgress } from '../dataset-options.js';
import type { Output } from '../output.js';

/** `gess data convert`: the rows of datasets as Parquet files. */
export function dataConvertCommand(output: Output): Command {
  const command = new Command('convert')
    .description('write the rows of datasets to a folder of Parquet files, all or some of them')
    .argument('<paths...>', 'folders of shards, or shards');
  return addDatasetOptions(command).action(async (sources: readonly string[], options: DatasetOptions) => {
    const made = await withProgress(output, options, (request) =>
      writeParquetDataset({ ...request, sources }),
    );
    const { out, json } = options;
    const text = `${made.rows} rows in ${made.files} Parquet files in ${out}`;
    output.result(json === true ? JSON.stringify({ out, ...made }) : text);
  });
}
