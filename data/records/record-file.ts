import { expectPlaceForFile, writeOutputFile } from '../files/output-file.js';
import { DataError } from '../data-error.js';
import { readInput, textOfFile } from '../files/input-file.js';
import { MAX_BYTES } from '../files/size-limits.js';
import type { GameRecord, ReadOptions } from './record.js';
import { readJsonRecord, writeJsonRecord } from './record-json.js';

/** Maximum size of a file. */
export const MAX_RECORD_BYTES = MAX_BYTES.record;

/** Format of a record: SGF, or the JSON of `writeJsonRecord`. */
export type RecordFormat = 'sgf' | 'json';

// The modules of SGF are loaded when they are needed, since their package is optional.
async function readText(text: string, format: RecordFormat, options: ReadOptions): Promise<GameRecord> {
  if (format === 'json') return readJsonRecord(text, options);
  const { readSgf } = await import('./sgf-reading.js');
  return readSgf(text, options);
}

async function textOf(record: GameRecord, format: RecordFormat): Promise<string> {
  if (format === 'json') return writeJsonRecord(record);
  const { writeSgf } = await import('./sgf-writing.js');
  return writeSgf(record);
}

/** The format of a file by the end of its name, or undefined. */
export function formatOfName(path: string): RecordFormat | undefined {
  return (['sgf', 'json'] as const).find((format) => path.toLowerCase().endsWith(`.${format}`));
}

/**
 * Reads a record from a file, UTF-8 with or without a byte order mark.
 *
 * @throws DataError `file-missing`, `file-unreadable`, `file-too-large`, `file-encoding`, and as `readSgf` and
 *   `readJsonRecord`, with the path.
 */
export async function readRecordFile(
  path: string,
  format: RecordFormat,
  options: ReadOptions = {},
): Promise<GameRecord> {
  const text = textOfFile(path, await readInput(path, 'record'));
  try {
    return await readText(text, format, options);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new DataError(error.code, `${path}: ${error.message}`, { cause: error });
  }
}

/**
 * Writes a record to a file, whole or not at all.
 *
 * @throws DataError `file-exists` unless `overwrite`; `file-too-large`, `write-failed`, `disk-full`; as `writeSgf`.
 */
export async function writeRecordFile(
  path: string,
  record: GameRecord,
  { format, overwrite }: { readonly format: RecordFormat; readonly overwrite: boolean },
): Promise<void> {
  const text = await textOf(record, format);
  if (Buffer.byteLength(text) > MAX_RECORD_BYTES) {
    throw new DataError(
      'file-too-large',
      `expected a record of at most ${MAX_RECORD_BYTES} bytes, for ${path}`,
    );
  }
  await expectPlaceForFile(path, overwrite);
  await writeOutputFile(path, text, overwrite);
}
