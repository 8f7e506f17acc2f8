import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import {
  describeDataset,
  type DatasetWords,
  readDatasetCard,
  writeDatasetCard,
} from '../../data/datasets/dataset-card.js';
import { cardPage } from '../../data/datasets/dataset-page.js';
import { softwareVersion } from '../../training/software-version.js';
import type { Output } from '../output.js';

interface CardOptions {
  readonly id?: string;
  readonly author?: string;
  readonly authorEmail?: string;
  readonly algorithm?: string;
  readonly code?: string;
  readonly license?: string;
  readonly description?: string;
  readonly write?: true;
  readonly json?: true;
}

/** What was said before stays unless it is said anew. */
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

async function runCard(output: Output, folder: string, options: CardOptions): Promise<void> {
  const before = await readDatasetCard(folder);
  const origin = { words: wordsOf(options, before?.words ?? {}), madeBy: before?.madeBy ?? null };
  const request = { name: basename(resolve(folder)), origin, softwareVersion: softwareVersion() };
  const make = options.write === true ? writeDatasetCard : describeDataset;
  const card = await make(folder, request);
  output.result(options.json === true ? JSON.stringify(card) : cardPage(card, request.name).trimEnd());
  if (options.write === true) output.message(`gess data card: wrote README.md and dataset.json in ${folder}`);
}

/** `gess data card`: what a dataset is, for people and for programs. */
export function dataCardCommand(output: Output): Command {
  return new Command('card')
    .description('print the card of a dataset, and write it beside the shards as README.md and dataset.json')
    .argument('<folder>', 'a folder of shards')
    .option('--id <id>', '[namespace/][game/]name-vVERSION, such as gess/quess/warm-start-v0')
    .option('--author <name>', 'who made it')
    .option('--author-email <address>', 'where to write to')
    .option('--algorithm <name>', 'what chose the moves')
    .option('--code <link>', 'where the code that made it is')
    .option('--license <id>', 'an SPDX identifier, such as CC-BY-4.0')
    .option('--description <text>', 'what it is, in some sentences')
    .option('--write', 'write README.md and dataset.json, over those that are there')
    .option('--json', 'print one JSON object')
    .action((folder: string, options: CardOptions) => runCard(output, folder, options));
}
