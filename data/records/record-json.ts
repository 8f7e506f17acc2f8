import * as z from 'zod';
import { validate } from '../../env/problems-text.js';
import { CodedError } from '../../env/errors.js';
import { JsonTextError, parseJsonText } from '../../env/text/json-text.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { namedValues } from '../../env/named-values.js';
import { DataError } from '../data-error.js';
import { sealOf } from '../files/sealed-json.js';
import {
  expectDepth,
  type GameRecord,
  MAX_VARIATION_DEPTH,
  type ReadOptions,
  type RecordLine,
  type RecordMove,
  recordPosition,
  withoutUndefined,
} from './record.js';
import { formatResult, MOVE_FIELDS, parseResult, ROOT_FIELDS } from './sgf-fields.js';
import { quote } from '../../env/text/quoted-text.js';
import { isJsonObject } from '../../env/text/json-object.js';

/** Value of the field `format`. */
const FORMAT = 'gess-zero-record';
/** Version of JSON records. */
export const RECORD_VERSION = 1;
/** Upper bound of nested lists and objects: three a variation, and some for the fields of a move. */
const MAX_NESTING = 3 * MAX_VARIATION_DEPTH + 6;

/** Upper bound of the number of values: moves, their fields and all others. */
const MAX_VALUES = 300_000;

/** A text that SGF and UTF-8 can hold: no carriage returns, no unpaired surrogates. */
const AnyText = z
  .string()
  .refine((text) => !/\p{Cs}/u.test(text), 'expected whole characters, found half of a surrogate pair')
  .transform((text) => text.replace(/\r\n?/g, '\n'));
const Text = AnyText.refine((text) => text !== '', 'expected a text that is not empty');

function propertiesSchema(
  fields: ReadonlySet<string>,
): z.ZodType<Readonly<Record<string, readonly string[]>>> {
  return namedValues(z.array(AnyText).min(1)).superRefine((properties, context) => {
    const names = Object.keys(properties);
    if (names.length === 0) context.addIssue('expected some properties');
    for (const name of names) {
      if (!/^[A-Z]+$/.test(name)) context.addIssue(`expected names in capitals A to Z, found ${quote(name)}`);
      if (fields.has(name)) context.addIssue(`expected the field of the record in place of ${quote(name)}`);
    }
  });
}

/** Adds 0, since -0 would be written as 0. */
const Seconds = z
  .number()
  .min(0)
  .transform((seconds) => seconds + 0);

const MoveObject = z.strictObject({
  move: Text.optional(),
  comment: Text.optional(),
  seconds: Seconds.optional(),
  properties: propertiesSchema(MOVE_FIELDS).optional(),
  get variations(): z.ZodOptional<z.ZodType<readonly RecordLine[]>> {
    return z.array(Variation).min(1).optional();
  },
});
/** A string stands for a move without other fields. */
const Move: z.ZodType<RecordMove> = z.preprocess(
  (value) => (typeof value === 'string' ? { move: value } : value),
  MoveObject,
);
const Variation: z.ZodType<RecordLine> = z
  .array(Move)
  .min(1)
  .refine(
    ([first]) => first?.variations === undefined,
    'expected variations of the same position as siblings, not nested',
  );

const JsonRecord = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(RECORD_VERSION),
  game: z.string(),
  rules: z.string().default('default'),
  players: z.tuple([Text.nullable(), Text.nullable()]).optional(),
  event: Text.optional(),
  date: Text.optional(),
  result: Text.optional(),
  comment: Text.optional(),
  position: z.string().optional(),
  properties: propertiesSchema(ROOT_FIELDS).optional(),
  moves: z.array(Move),
  /** Seal of the file of a game of a match (training/matches/match-folder.ts); `expectSeal` checks it. */
  sha256: z.string().optional(),
});

/** @throws DataError `record-syntax`, `record-content` for names, `record-too-deep`. */
function parseRecord(text: string): unknown {
  try {
    return parseJsonText(text, { maxDepth: MAX_NESTING, maxValues: MAX_VALUES });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    if (error.reason === 'depth') expectDepth(Infinity);
    const code = error.reason === 'name' ? 'record-content' : 'record-syntax';
    throw new DataError(code, `expected JSON: ${error.message}`, { cause: error });
  }
}

/** @throws DataError `record-content` for a text with a seal that is not its own. */
function expectSeal(text: string, json: unknown): void {
  if (!isJsonObject(json) || sealOf(json, text, 'file').seal !== 'altered') return;
  const advice = 'leave sha256 out of a record that was changed on purpose';
  throw new DataError('record-content', `expected a record that matches its own checksum; ${advice}`);
}

/** Adds `place` to coded errors of `read`. */
function at<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CodedError) || error instanceof DataError) throw error;
    throw new DataError('record-content', `${place}: ${error.message}`, { cause: error });
  }
}

/**
 * The line with moves in canonical notation; `place` is its path in the record, `depth` the number of
 * enclosing variations.
 */
function canonicalLine(
  game: Game<unknown>,
  line: RecordLine,
  { place, depth }: { readonly place: string; readonly depth: number },
): RecordLine {
  expectDepth(depth);
  return line.map(({ move, variations, ...rest }, i) => {
    const here = `${place}[${i}]`;
    return withoutUndefined({
      move: move === undefined ? undefined : at(here, () => game.formatAction(game.parseAction(move))),
      ...rest,
      variations: variations?.map((variation, v) =>
        canonicalLine(game, variation, { place: `${here}.variations[${v}]`, depth: depth + 1 }),
      ),
    });
  });
}

/**
 * The record that a JSON value is.
 *
 * @throws DataError `record-content`, `record-too-deep`.
 */
function recordOfJson(json: unknown, rules: string | undefined): GameRecord {
  const { position, result, moves, ...rest } = validate(
    JsonRecord,
    json,
    (problems) => new DataError('record-content', `not a record of a game: ${problems}`),
  );
  const game = at('rules', () => createGame(rest.game, rules ?? rest.rules));
  return withoutUndefined({
    game: game.id,
    rules: game.rules,
    players: rest.players,
    event: rest.event,
    date: rest.date,
    result: result === undefined ? undefined : parseResult(formatResult(result)),
    comment: rest.comment,
    position: position === undefined ? undefined : at('position', () => recordPosition(game, position)),
    properties: rest.properties,
    moves: canonicalLine(game, moves, { place: 'moves', depth: 0 }),
  });
}

/**
 * Reads a record of any game from JSON (docs/reference/formats.md, "Records").
 *
 * @throws DataError `record-syntax`, `record-content`, `record-count`, `record-too-deep`, `record-too-new`, with
 *   the place in the record.
 */
export function readJsonRecord(text: string, { rules, number = 1 }: ReadOptions = {}): GameRecord {
  if (number !== 1)
    throw new DataError('record-count', `expected game 1, as a JSON record has only one; got ${number}`);
  const json = parseRecord(text);
  const { version } = z.object({ version: z.number() }).catch({ version: 0 }).parse(json);
  if (version > RECORD_VERSION) {
    throw new DataError('record-too-new', `expected a record of version ${RECORD_VERSION}, found ${version}`);
  }
  expectSeal(text, json);
  return recordOfJson(json, rules);
}

/** The line with moves that have no other field as texts; `depth` is the number of enclosing variations. */
function briefLine(line: RecordLine, depth: number): unknown[] {
  expectDepth(depth);
  return line.map((entry) => {
    const { variations, ...rest } = withoutUndefined(entry);
    if (variations !== undefined)
      return { ...rest, variations: variations.map((variation) => briefLine(variation, depth + 1)) };
    return Object.keys(rest).length === 1 && rest.move !== undefined ? rest.move : rest;
  });
}

/**
 * The JSON value of a record.
 *
 * @throws DataError `record-too-deep`.
 */
export function jsonOfRecord({ moves, ...record }: GameRecord): object {
  return { format: FORMAT, version: RECORD_VERSION, ...record, moves: briefLine(moves, 0) };
}

/**
 * Expects a record that a reader of either format would accept.
 *
 * @throws DataError `record-content`, `record-too-deep`.
 */
export function expectSoundRecord(record: GameRecord): void {
  recordOfJson(jsonOfRecord(record), undefined);
}

/**
 * A record as JSON that `readJsonRecord` reads as the same record.
 *
 * @throws DataError `record-too-deep`.
 */
export function writeJsonRecord(record: GameRecord): string {
  return `${JSON.stringify(jsonOfRecord(record), null, 2)}\n`;
}
