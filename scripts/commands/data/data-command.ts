import type { Command } from '@commander-js/extra-typings';
import { addLazyCommands, type LazyCommand } from '../../usage/lazy-commands.js';
import type { Output } from '../../output.js';
import {
  DATA_PACKAGES,
  PARQUET_PACKAGES,
  RUN_PACKAGES,
  SEARCHED_DATA_PACKAGES,
} from '../../usage/package-sets.js';

const DATA_COMMANDS: Readonly<Record<string, LazyCommand>> = {
  verify: {
    summary: 'check every file of a run, a dataset or a checkpoint; exit code 1 if one is damaged',
    load: async () => (await import('./data-verify-command.js')).defineDataVerify,
    packages: RUN_PACKAGES,
  },
  merge: {
    summary: 'merge datasets of the same game and rules, all rows or some of them',
    load: async () => (await import('./data-merge-command.js')).defineDataMerge,
    packages: DATA_PACKAGES,
  },
  split: {
    summary: 'split a dataset game by game; each part gets a folder with its name in --out',
    load: async () => (await import('./data-split-command.js')).defineDataSplit,
    packages: DATA_PACKAGES,
  },
  rescore: {
    summary: 'make a dataset with new values: from an agent, from later positions, for truncated games',
    load: async () => (await import('./data-rescore-command.js')).defineDataRescore,
    packages: DATA_PACKAGES,
  },
  reanalyze: {
    summary: 'make a dataset with policies and values of new searches by a network',
    load: async () => (await import('./data-reanalyze-command.js')).defineDataReanalyze,
    packages: SEARCHED_DATA_PACKAGES,
  },
  convert: {
    summary: 'write the rows of datasets to Parquet files, or those of Parquet files to shards',
    load: async () => (await import('./data-convert-command.js')).defineDataConvert,
    packages: PARQUET_PACKAGES,
  },
  card: {
    summary: 'print the card of a dataset, or write it beside the shards as README.md and dataset.json',
    load: async () => (await import('./data-card-command.js')).defineDataCard,
    packages: DATA_PACKAGES,
  },
};

/** `gess data`: tools for datasets, one sub-command each. */
export function defineData(command: Command, output: Output): void {
  addLazyCommands(command, output, DATA_COMMANDS);
}
