import { NotationError } from '../errors.js';
import type { Action } from '../game.js';
import {
  COLUMN_STEPS,
  encodeAction,
  endSquare,
  MAX_DISTANCE,
  NUM_DIRECTIONS,
  ROW_STEPS,
  SIZE,
  startSquare,
} from './gess-board.js';
import { quote } from '../text/quoted-text.js';

const FIRST_LETTER = 97;

/** `l` for column 11. */
export function fileName(column: number): string {
  return String.fromCharCode(FIRST_LETTER + column);
}

/** `l3` for row 2 and column 11. */
export function formatSquare(square: number): string {
  return `${fileName(square % SIZE)}${Math.floor(square / SIZE) + 1}`;
}

/**
 * Parses a square, `l3` or `L3`, to `row * 20 + column`.
 *
 * @throws NotationError `action-syntax`.
 */
export function parseSquare(text: string): number {
  const [, file, rank] = /^([a-t])([1-9]|1\d|20)$/i.exec(text.trim()) ?? [];
  if (file === undefined || rank === undefined) {
    throw new NotationError('action-syntax', `expected a square a1 to t20, got ${quote(text)}`);
  }
  return (Number(rank) - 1) * SIZE + file.toLowerCase().charCodeAt(0) - FIRST_LETTER;
}

/**
 * `ln` for row 6 and column 11: an SGF point, the column and then the row counted from the top of the 20 x 20
 * squares.
 */
export function formatSgfPoint(square: number): string {
  return `${fileName(square % SIZE)}${fileName(SIZE - 1 - Math.floor(square / SIZE))}`;
}

/**
 * Parses an SGF point to `row * 20 + column`.
 *
 * @throws NotationError `action-syntax`.
 */
export function parseSgfPoint(text: string): number {
  if (!/^[a-t]{2}$/.test(text)) {
    throw new NotationError('action-syntax', `expected a point of two letters a to t, got ${quote(text)}`);
  }
  return (SIZE - 1 - (text.charCodeAt(1) - FIRST_LETTER)) * SIZE + text.charCodeAt(0) - FIRST_LETTER;
}

/** `f6-f7`: the centre of the piece before and after. */
export function formatMove(action: Action): string {
  return `${formatSquare(startSquare(action))}-${formatSquare(endSquare(action))}`;
}

/** `fo:fn` for `f6-f7`: a move in SGF. */
export function formatSgfMove(action: Action): string {
  return `${formatSgfPoint(startSquare(action))}:${formatSgfPoint(endSquare(action))}`;
}

/** Two squares and any of the usual separators: - : x × → -> ‐ ‑ ‒ – — − */
const MOVE_TEXT = /^([a-z]\d+)\s*(?:->|[-:x\u00d7\u2192\u2010-\u2014\u2212])\s*([a-z]\d+)$/i;
/** Unambiguous: squares have digits, points have none. */
const SGF_MOVE_TEXT = /^([a-t]{2}):([a-t]{2})$/;

function parseEnds(text: string): readonly [start: number, end: number] | null {
  const [, sgfStart, sgfEnd] = SGF_MOVE_TEXT.exec(text) ?? [];
  if (sgfStart !== undefined && sgfEnd !== undefined) return [parseSgfPoint(sgfStart), parseSgfPoint(sgfEnd)];
  const [, start, end] = MOVE_TEXT.exec(text) ?? [];
  if (start === undefined || end === undefined) return null;
  return [parseSquare(start), parseSquare(end)];
}

/**
 * Reads a move: `f6-f7`, also in capitals and with `x`, `:`, a dash or an arrow between the squares; or
 * `fo:fn`, as in SGF. The move may be illegal.
 *
 * @throws NotationError `action-syntax`, also for two squares that are not on one line.
 */
export function parseMove(text: string): Action {
  const ends = parseEnds(text.trim());
  if (ends === null) {
    throw new NotationError(
      'action-syntax',
      `expected a move like f6-f7, squares a1 to t20, got ${quote(text)}`,
    );
  }
  const [start, end] = ends;
  const rows = Math.floor(end / SIZE) - Math.floor(start / SIZE);
  const columns = (end % SIZE) - (start % SIZE);
  const distance = Math.max(Math.abs(rows), Math.abs(columns));
  for (let direction = 0; direction < NUM_DIRECTIONS; direction++) {
    if (distance === 0 || distance > MAX_DISTANCE) break;
    if (rows === distance * ROW_STEPS[direction]! && columns === distance * COLUMN_STEPS[direction]!) {
      return encodeAction(Math.floor(start / SIZE), start % SIZE, direction, distance);
    }
  }
  throw new NotationError(
    'action-syntax',
    `expected a move of 1 to ${MAX_DISTANCE} squares along a rank, a file or a diagonal, got ${quote(text)}`,
  );
}
