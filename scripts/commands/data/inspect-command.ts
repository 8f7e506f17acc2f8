import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import { expectPlaceForFile } from '../../../data/files/output-file.js';
import { recordOfShardGame } from '../../../data/records/recorded-game.js';
import { type RecordFormat, writeRecordFile } from '../../../data/records/record-file.js';
import { readShardFile } from '../../../data/shards/shard.js';
import { type Inspection, type InspectionOf, inspect } from '../../inspection/inspection.js';
import { describeInspection } from '../../inspection/inspection-text.js';
import { wholeNumber } from '../../options/numbers.js';
import { expectOwnGame, gameModuleOption } from '../../options/game-options.js';
import { overwriteOption } from '../../options/overwrite-option.js';
import { writtenFormat } from '../../options/record-options.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { listingNotes } from '../../progress/listing-notes.js';
import { UsageError } from '../../usage/usage-error.js';

interface InspectFlags {
  readonly row?: number;
  readonly write?: string;
  readonly overwrite?: true;
  readonly json?: true;
}

type InspectedRow = InspectionOf<'dataset'>['row'];

/** @throws UsageError `option-conflict` for `--write` without `--row`, `option-value` for a name of another format. */
function formatToWrite(command: CommandUnknownOpts, { row, write }: InspectFlags): RecordFormat | undefined {
  if (write === undefined || row !== undefined) return writtenFormat(command, write);
  throw new UsageError(command, 'option-conflict', 'expected --write with --row');
}

/**
 * The inspected row.
 *
 * @throws UsageError `option-conflict` for something without rows if the options name one.
 */
function rowOf(command: CommandUnknownOpts, found: Inspection, { row }: InspectFlags): InspectedRow {
  if ('row' in found) return found.row;
  if (row === undefined) return null;
  throw new UsageError(command, 'option-conflict', `expected --row with shards, found '${found.kind}'`);
}

/** Writes the game of a row; `format` is that of the file. */
async function writeGame(
  { shard, gameId }: NonNullable<InspectedRow>,
  { write, overwrite }: InspectFlags,
  format: RecordFormat,
): Promise<void> {
  const record = recordOfShardGame(shard, await readShardFile(shard), gameId);
  await writeRecordFile(write!, record, { format, overwrite: overwrite === true });
}

async function runInspect(
  command: CommandUnknownOpts,
  output: Output,
  path: string,
  flags: InspectFlags,
): Promise<void> {
  const { row = null, write, overwrite, json } = flags;
  const format = formatToWrite(command, flags);
  if (write !== undefined) await expectPlaceForFile(write, overwrite);
  const progress = createProgress(output, 'shards');
  if (output.terminal !== undefined) progress.start('gess: reading');
  try {
    const onShard = progress.update.bind(progress);
    const found = await inspect(path, { row, onShard, ...listingNotes(output) });
    progress.stop();
    if ('game' in found) expectOwnGame(command, found.game, path);
    const inspected = rowOf(command, found, flags);
    if (format !== undefined && inspected !== null) {
      await writeGame(inspected, flags, format);
      output.message(`gess inspect: wrote ${write!}`);
    }
    output.result(json === true ? JSON.stringify(found) : describeInspection(found));
  } finally {
    progress.stop();
  }
}

/** `gess inspect`: describes a file or folder of this program and verifies every file it reads. */
export function defineInspect(command: Command, output: Output): void {
  command
    .argument('<path>', 'a file or a folder')
    .option(
      '--row <n>',
      'with shards: also draw this row, counted from 0',
      wholeNumber(Number.MAX_SAFE_INTEGER),
    )
    .option('--write <file>', 'with --row: write the game of the row, as SGF or JSON by the name of the file')
    .addOption(overwriteOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object')
    .action((path, options) => runInspect(command, output, path, options));
}
