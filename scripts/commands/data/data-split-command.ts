import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { type DatasetShare, splitDataset } from '../../../data/datasets/dataset-tools.js';
import { makeDataset, withDatasetFlags } from '../../options/dataset-options.js';
import { shareOfOne } from '../../options/numbers.js';
import type { Output } from '../../output.js';

const DEFAULT_PARTS = ['train=0.9', 'validation=0.1'];

function addShare(text: string, before: readonly DatasetShare[] = []): readonly DatasetShare[] {
  const [name = '', share = '', ...more] = text.split('=');
  if (more.length > 0 || name === '') throw new InvalidArgumentError('Expected NAME=SHARE.');
  return [...before, { name, share: shareOfOne(share) }];
}

/** `gess data split`: splits datasets game by game. */
export function defineDataSplit(command: Command, output: Output): void {
  withDatasetFlags(command)
    .option(
      '--part <name=share>',
      `a part and its share of the games (default: ${DEFAULT_PARTS.join(' and ')})`,
      addShare,
    )
    .action(async (sources, options) => {
      const shares = options.part ?? DEFAULT_PARTS.flatMap((text) => addShare(text));
      await makeDataset(command, output, options, (request) =>
        splitDataset({ ...request, sources }, { shares, seed: options.seed }),
      );
    });
}
