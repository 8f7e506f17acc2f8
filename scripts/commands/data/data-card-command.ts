import { basename, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import {
  describeDataset,
  readDatasetCard,
  writeDatasetCard,
} from '../../../data/datasets/dataset-card-file.js';
import type { DatasetCard, DatasetWords } from '../../../data/datasets/dataset-card.js';
import { cardPage } from '../../../data/datasets/dataset-page.js';
import { type Lock, lockFolder } from '../../../data/files/lock.js';
import { listShards } from '../../../data/shards/shard.js';
import { softwareVersion } from '../../../training/software-version.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { expectOwnGame, gameModuleOption } from '../../options/game-options.js';
import type { Output } from '../../output.js';
import { listingNotes } from '../../progress/listing-notes.js';

const declareFlags = (command: Command) =>
  command
    .option('--id <id>', '[namespace/][game/]name-vVERSION, such as gess/quess/warm-start-v0')
    .option('--author <name>', 'author of the dataset')
    .option('--author-email <address>', "the author's address")
    .option('--algorithm <name>', 'the algorithm that chose the moves')
    .option('--code <link>', 'link to the code that made it')
    .option('--license <id>', 'an SPDX identifier, such as CC-BY-4.0')
    .option('--description <text>', 'a description in a few sentences')
    .option('--write', 'write README.md and dataset.json; existing ones are overwritten')
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object');

type CardOptions = OptionsOf<typeof declareFlags>;

/** The description in the card: options replace earlier values. */
function wordsOf(options: CardOptions, before: DatasetWords): DatasetWords {
  const { id, author, authorEmail, algorithm, code, license, description } = options;
  const words = {
    datasetId: id,
    author,
    authorEmail,
    algorithmName: algorithm,
    codePermalink: code,
    license,
    description,
  };
  const given = Object.entries(words).filter(([, text]) => text !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}

/** The heading of the page of a dataset without an id. */
function nameOf(folder: string): string {
  return basename(resolve(folder));
}

/** Describes a dataset, and writes the description if the options say so. */
async function makeCard(
  command: Command,
  output: Output,
  folder: string,
  options: CardOptions,
): Promise<DatasetCard> {
  const before = await readDatasetCard(folder);
  const origin = { words: wordsOf(options, before?.words ?? {}), madeBy: before?.madeBy ?? null };
  const request = {
    name: nameOf(folder),
    origin,
    softwareVersion: softwareVersion(),
    onGame: (game: string) => {
      expectOwnGame(command, game, folder);
    },
    ...listingNotes(output),
  };
  return options.write === true ? writeDatasetCard(folder, request) : describeDataset(folder, request);
}

/** Locks a dataset whose description is to be written. */
async function lockDataset(folder: string): Promise<Lock> {
  // Before the lock, so that a missing folder is reported as such.
  await listShards(folder);
  return lockFolder(folder);
}

async function runCard(
  command: Command,
  output: Output,
  folder: string,
  options: CardOptions,
): Promise<void> {
  // The page and the manifest name each other's content and keep earlier words: two processes at once would mix them.
  const lock = options.write === true ? await lockDataset(folder) : null;
  try {
    const card = await makeCard(command, output, folder, options);
    output.result(options.json === true ? JSON.stringify(card) : cardPage(card, nameOf(folder)).trimEnd());
    if (lock !== null) output.message(`gess data card: wrote README.md and dataset.json in ${folder}`);
  } finally {
    lock?.release();
  }
}

/** `gess data card`: the description of a dataset, for people and for programs. */
export function defineDataCard(command: Command, output: Output): void {
  declareFlags(command)
    .argument('<folder>', 'a folder of shards')
    .action((folder, options) => runCard(command, output, folder, options));
}
