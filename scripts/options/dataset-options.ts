import { type Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { DatasetRequest } from '../../data/datasets/dataset-tools.js';
import { softwareVersion } from '../../training/software-version.js';
import { expectOwnGame, gameModuleOption } from './game-options.js';
import { seedNumber, shareOfOne } from './numbers.js';
import { collect } from './repeated-option.js';
import type { Output } from '../output.js';
import { createProgress } from '../progress/progress.js';
import { listingNotes } from '../progress/listing-notes.js';
import { countOf } from '../../env/text/count-of.js';

/** `--out`: the folder of the new dataset. */
const outOption = new Option(
  '--out <folder>',
  'folder of the new dataset; must not exist',
).makeOptionMandatory();

/** `--where`: conditions on rows. */
const whereOption = new Option(
  '--where <condition>',
  'condition on the rows to take, such as ply=10..40 or result=won,drawn; if repeated, all must hold',
)
  .argParser(collect)
  .default<readonly string[]>([]);

/** `--sample`: share of the rows. */
const sampleOption = new Option('--sample <share>', 'share of these rows to sample, from 0 to 1')
  .argParser(shareOfOne)
  .default(1);

/** `--seed`: selects the sampled rows. */
const seedOption = new Option('--seed <n>', 'seed of the sampling').argParser(seedNumber).default(1);

/** The options of commands that make a dataset. */
type DatasetOptions = Readonly<{
  out: string;
  where: readonly string[];
  sample: number;
  seed: number;
  game?: string;
  json?: true;
}>;

/**
 * Adds the arguments and flags that all commands that make a dataset have in common.
 *
 * @param paths description of the sources.
 */
export function withDatasetFlags(
  command: Command,
  paths = 'folders of shards, or shards',
): Command<[string[]], DatasetOptions> {
  return command
    .argument('<paths...>', paths)
    .addOption(outOption)
    .addOption(whereOption)
    .addOption(sampleOption)
    .addOption(seedOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object');
}

function describeRows(out: string, rows: number | Readonly<Record<string, number>>): string {
  if (typeof rows === 'number') return `${countOf(rows, 'row')} in ${out}`;
  return Object.entries(rows)
    .map(([name, count]) => `${countOf(count, 'row')} in ${out}/${name}`)
    .join('\n');
}

/**
 * Makes a dataset, shows the progress and prints the number of rows.
 *
 * @param make returns the rows of the dataset, or of each of its parts by name.
 */
export async function makeDataset(
  command: CommandUnknownOpts,
  output: Output,
  options: DatasetOptions,
  make: (request: Omit<DatasetRequest, 'sources'>) => Promise<number | Readonly<Record<string, number>>>,
): Promise<void> {
  const { out, where, sample, seed, json } = options;
  const progress = createProgress(output, 'shards');
  progress.start(`gess data: making ${out}`);
  let rows: number | Readonly<Record<string, number>>;
  try {
    rows = await make({
      out,
      filter: { where, sample, seed },
      softwareVersion: softwareVersion(),
      onGame: (game) => {
        expectOwnGame(command, game, 'the dataset');
      },
      ...listingNotes(output),
      onShard: (done, total) => {
        progress.update(done, total);
      },
    });
  } finally {
    progress.stop();
  }
  output.result(json === true ? JSON.stringify({ out, rows }) : describeRows(out, rows));
}
