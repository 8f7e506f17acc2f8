import { Command } from 'commander';
import type { Output } from '../output.js';
import { dataCardCommand } from './data-card-command.js';
import { dataConvertCommand } from './data-convert-command.js';
import { dataMergeCommand } from './data-merge-command.js';
import { dataRescoreCommand } from './data-rescore-command.js';
import { dataSplitCommand } from './data-split-command.js';
import { dataVerifyCommand } from './data-verify-command.js';

/** `gess data`: tools for datasets, one sub-command each. */
export function dataCommand(output: Output): Command {
  return new Command('data')
    .description('check, merge, split, change and convert datasets: folders of shards')
    .addCommand(dataVerifyCommand(output))
    .addCommand(dataMergeCommand(output))
    .addCommand(dataSplitCommand(output))
    .addCommand(dataRescoreCommand(output))
    .addCommand(dataConvertCommand(output))
    .addCommand(dataCardCommand(output));
}
