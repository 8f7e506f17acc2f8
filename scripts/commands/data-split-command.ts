import { Command, InvalidArgumentError } from 'commander';
import { type DatasetShare, splitDataset } from '../../data/datasets/dataset-tools.js';
import {
  addDatasetOptions,
  type DatasetOptions,
  shareOfOne,
  withProgress,
} from '../options/dataset-options.js';
import type { Output } from '../output.js';

interface SplitOptions extends DatasetOptions {
  readonly part: readonly DatasetShare[];
}

const HALVES = 'train=0.9 and validation=0.1';

function addShare(text: string, before: readonly DatasetShare[] = []): readonly DatasetShare[] {
  const [name = '', share = '', ...more] = text.split('=');
  if (more.length > 0 || name === '') throw new InvalidArgumentError('Expected NAME=SHARE.');
  return [...before, { name, share: shareOfOne(share) }];
}

/** `gess data split`: shares the games of datasets out to several. */
export function dataSplitCommand(output: Output): Command {
  const command = new Command('split')
    .description('share the games of a dataset out to several, each in a folder of its name in --out')
    .argument('<paths...>', 'folders of shards, or shards')
    .option('--part <name=share>', `a part and its share of the games (default: ${HALVES})`, addShare);
  return addDatasetOptions(command).action(
    async (sources: readonly string[], { part, ...options }: Partial<SplitOptions> & DatasetOptions) => {
      const shares = part ?? ['train=0.9', 'validation=0.1'].flatMap((text) => addShare(text));
      const rows = await withProgress(output, options, (request) =>
        splitDataset({ ...request, sources }, { shares, seed: options.seed }),
      );
      const { out, json } = options;
      const text = Object.entries(rows).map(([name, count]) => `${count} rows in ${out}/${name}`);
      output.result(json === true ? JSON.stringify({ out, rows }) : text.join('\n'));
    },
  );
}
