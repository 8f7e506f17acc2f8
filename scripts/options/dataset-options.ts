import { type Command, InvalidArgumentError } from 'commander';
import type { DatasetRequest } from '../../data/datasets/dataset-tools.js';
import { softwareVersion } from '../../training/software-version.js';
import { wholeNumber } from './game-options.js';
import type { Output } from '../output.js';
import { createProgress } from '../progress/progress.js';

/** The flags of `addFilterOptions`, and where the new dataset goes. */
export interface DatasetOptions {
  readonly out: string;
  readonly where: readonly string[];
  readonly sample: number;
  readonly seed: number;
  readonly json?: true;
}

/** Reads a number from 0 to 1. */
export function shareOfOne(text: string): number {
  const share = Number(text);
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share;
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}

/** Adds `--out`, `--where`, `--sample`, `--seed` and `--json`. */
export function addDatasetOptions(command: Command): Command {
  return command
    .requiredOption('--out <folder>', 'where the new dataset goes; must not exist')
    .option(
      '--where <condition>',
      'rows to take, such as ply=10..40 or result=won,drawn; given several times, all must hold',
      (text: string, before: readonly string[]) => [...before, text],
      [] as readonly string[],
    )
    .option('--sample <share>', 'share of these rows to draw, from 0 to 1', shareOfOne, 1)
    .option('--seed <n>', 'decides what is drawn', wholeNumber(Number.MAX_SAFE_INTEGER), 1)
    .option('--json', 'print one JSON object');
}

/** Makes a dataset and shows how far it is. */
export async function withProgress<Made>(
  output: Output,
  { out, where, sample, seed }: DatasetOptions,
  make: (request: Omit<DatasetRequest, 'sources'>) => Promise<Made>,
): Promise<Made> {
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
