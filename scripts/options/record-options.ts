import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { GameRecord } from '../../data/records/record.js';
import { formatOfName, readRecordFile, type RecordFormat } from '../../data/records/record-file.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { quote } from '../../env/text/quoted-text.js';
import { UsageError } from '../usage/usage-error.js';
import { isGiven } from './idle-options.js';
import { inputPath } from './shipped-file.js';

/** The options of a command that name a record. */
export interface RecordSource {
  readonly sgf?: string | undefined;
  readonly record?: string | undefined;
  readonly number?: number | undefined;
  readonly game: string;
  readonly rules: string;
}

/**
 * Reads the record that `--sgf` or `--record` names; `--rules` overrides its rules.
 *
 * @throws UsageError `option-value` for a record of a game other than that of `--game`; errors of `readRecordFile`.
 */
export async function openRecordFile(
  command: CommandUnknownOpts,
  { sgf, record: json, number, ...options }: RecordSource,
): Promise<readonly [Game<unknown>, GameRecord]> {
  const path = inputPath((sgf ?? json)!);
  const rules = isGiven(command, 'rules') ? options.rules : undefined;
  const record = await readRecordFile(path, sgf === undefined ? 'json' : 'sgf', { rules, number });
  if (isGiven(command, 'game') && options.game !== record.game) {
    throw new UsageError(
      command,
      'option-value',
      `expected a record of ${options.game}, found one of ${record.game} in ${quote(path)}`,
    );
  }
  return [createGame(record.game, record.rules), record];
}

/**
 * The format for `--write`, by the ending of the file name; undefined without the option.
 *
 * @throws UsageError `option-value` for another ending.
 */
export function writtenFormat(
  command: CommandUnknownOpts,
  path: string | undefined,
): RecordFormat | undefined {
  if (path === undefined) return undefined;
  const format = formatOfName(path);
  if (format !== undefined) return format;
  throw new UsageError(
    command,
    'option-value',
    `expected a name ending in .sgf or .json for --write, got ${quote(path)}`,
  );
}
