import { Option } from '@commander-js/extra-typings';
import type { DatasetRequest } from '../../data/datasets/dataset-tools.js';
import { softwareVersion } from '../../training/software-version.js';
import { seedNumber, shareOfOne } from './numbers.js';
import type { Output } from '../output.js';
import { createProgress } from '../progress/progress.js';

/** `--out`: the folder of the new dataset. */
export const outOption = new Option(
  '--out <folder>',
  'folder of the new dataset; must not exist',
).makeOptionMandatory();

/** `--where`: conditions on rows. */
export const whereOption = new Option(
  '--where <condition>',
  'condition on the rows to take, such as ply=10..40 or result=won,drawn; if repeated, all must hold',
)
  .argParser((text: string, before: readonly string[]) => [...before, text])
  .default<readonly string[]>([]);

/** `--sample`: share of the rows. */
export const sampleOption = new Option('--sample <share>', 'share of these rows to sample, from 0 to 1')
  .argParser(shareOfOne)
  .default(1);

/** `--seed`: selects the sampled rows. */
export const seedOption = new Option('--seed <n>', 'seed of the sampling').argParser(seedNumber).default(1);

/** Makes a dataset and shows the progress. */
export async function withProgress<Made>(
  output: Output,
  options: {
    readonly out: string;
    readonly where: readonly string[];
    readonly sample: number;
    readonly seed: number;
  },
  make: (request: Omit<DatasetRequest, 'sources'>) => Promise<Made>,
): Promise<Made> {
  const { out, where, sample, seed } = options;
  const progress = createProgress(output, 'shards');
  progress.start(`gess data: making ${out}`);
  try {
    return await make({
      out,
      filter: { where, sample, seed },
      softwareVersion: softwareVersion(),
      onShard: (done, total) => {
        progress.update(done, total);
      },
    });
  } finally {
    progress.stop();
  }
}
