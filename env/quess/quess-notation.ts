import { NotationError } from '../errors.js';
import type { Action } from '../game.js';
import {
  actionBetween,
  EMPTY,
  formatSquare,
  OFF_BOARD,
  ownerOf,
  parseSquare,
  PIECE_LETTERS,
  shapeOf,
  SIZE,
  startSquare,
  TARGETS,
} from './quess-board.js';
import { formatSeconds, parseSeconds } from './clock-seconds.js';
import { SHAPE_NAMES } from './explanation.js';
import { settle } from './ending.js';
import { emptyPosition, type QuessPosition, setPiece } from './quess-position.js';
import type { QuessRules } from './quess-rules.js';
import { quote } from '../text/quoted-text.js';

/** The starting position, without clocks (Q1.2). */
const START_TEXT = '3tcs/4tc/5t/T5/CT4/SCT3 l 0';
/** `[4]` the maximum number of pieces of each shape that a side can have: that of the start (Q1.2). */
const MOST_PIECES = [0, 3, 2, 1] as const;
/** `pack` writes the ply in two bytes. */
const MAX_PLY = 65_535;

/** `F2-D3`; a move that leaves the board has no end: `F2-off`. */
export function formatMove(action: Action): string {
  const end = TARGETS[action]!;
  return `${formatSquare(startSquare(action))}-${end === OFF_BOARD ? 'off' : formatSquare(end)}`;
}

/**
 * Parses a move such as `F2-D3`, in either case, separated by `-`, an en dash or `x`. The move may be
 * illegal.
 *
 * @throws NotationError `action-syntax`, also for two squares that no piece moves between.
 */
export function parseMove(text: string): Action {
  const [start, end, ...rest] = text.trim().split(/[-–x]/i).map(parseSquare);
  if (start === undefined || end === undefined || rest.length > 0) {
    throw new NotationError(
      'action-syntax',
      `expected a move like F2-D3, squares A1 to F6, got ${quote(text)}`,
    );
  }
  const action = actionBetween(start, end);
  if (action !== undefined) return action;
  throw new NotationError(
    'action-syntax',
    `expected a move along a row or a column, or a knight's hop, got ${quote(text)}`,
  );
}

function formatRow(position: QuessPosition, row: number): string {
  const squares = position.cells.subarray(row * SIZE, (row + 1) * SIZE);
  return Array.from(squares, (piece) => PIECE_LETTERS.charAt(piece))
    .join('')
    .replace(/\.+/g, (run) => String(run.length));
}

/**
 * Formats rows A to F joined by `/`, with `T C S` for light's pieces, `t c s` for dark's and numbers for runs
 * of empty squares. The player to move, `l` or `d`, and the ply follow; with clocks also the seconds that
 * light and dark have left.
 */
export function formatPosition(position: QuessPosition): string {
  const { player, ply, isTimed, clocks } = position;
  const times = isTimed ? ` ${formatSeconds(clocks[0]!)} ${formatSeconds(clocks[1]!)}` : '';
  const rows = Array.from({ length: SIZE }, (_, i) => formatRow(position, SIZE - 1 - i));
  return `${rows.join('/')} ${player === 0 ? 'l' : 'd'} ${ply}${times}`;
}

function parseRow(text: string, row: number, position: QuessPosition): void {
  const name = 'FEDCBA'.charAt(row);
  let column = 0;
  let afterRun = false;
  const fail = (expected: string): never => {
    const at = column < SIZE ? `, column ${column + 1}` : '';
    throw new NotationError('position-syntax', `row ${name}${at}: expected ${expected}, got ${quote(text)}`);
  };
  for (const [token] of text.matchAll(/\d+|\D/gu)) {
    const isRun = /\d/.test(token);
    const piece = isRun ? EMPTY : PIECE_LETTERS.indexOf(token);
    if (!isRun && piece <= EMPTY)
      fail(`T, C, S, t, c, s or a number of empty squares, found ${quote(token)}`);
    if (isRun && (afterRun || token.startsWith('0'))) fail('one number, from 1, for a run of empty squares');
    const width = isRun ? Number(token) : 1;
    if (column + width > SIZE) fail(`${SIZE} squares, found more`);
    if (!isRun) setPiece(position, row * SIZE + column, piece);
    column += width;
    afterRun = isRun;
  }
  if (column !== SIZE) fail(`${SIZE} squares, found ${column}`);
}

/**
 * Checks that no side has more pieces of a shape than at the start.
 *
 * @throws NotationError `position-syntax`.
 */
export function checkPieces(position: QuessPosition): void {
  for (let piece = 1; piece < PIECE_LETTERS.length; piece++) {
    const count = position.cells.filter((there) => there === piece).length;
    const shape = shapeOf(piece) as 1 | 2 | 3;
    if (count <= MOST_PIECES[shape]) continue;
    const side = ownerOf(piece) === 0 ? 'light' : 'dark';
    throw new NotationError(
      'position-syntax',
      `expected at most ${MOST_PIECES[shape]} of ${side}'s ${SHAPE_NAMES[shape]}s, got ${count}`,
    );
  }
}

/**
 * Checks that the clocks, in milliseconds, are within the rules and not both 0.
 *
 * @throws NotationError `position-syntax`.
 */
export function checkClocks({ clocks }: QuessPosition, { clockSeconds }: QuessRules): void {
  const most = (clockSeconds ?? 0) * 1000;
  if (Math.max(...clocks) <= most && Math.min(...clocks) >= 0 && (most === 0 || Math.max(...clocks) > 0))
    return;
  const found = `${formatSeconds(clocks[0]!)} and ${formatSeconds(clocks[1]!)}`;
  throw new NotationError(
    'position-syntax',
    most === 0
      ? `expected no clocks, got ${found} seconds`
      : `expected clocks of 0 to ${clockSeconds ?? 0} seconds, not both 0, got ${found}`,
  );
}

function parseClocks(fields: readonly string[], position: QuessPosition, rules: QuessRules): void {
  const times = fields.map(parseSeconds);
  const expected = rules.clockSeconds === null ? 0 : 2;
  const [light = 0, dark = 0] = times;
  if (times.length !== expected || times.includes(undefined)) {
    const what = expected === 0 ? 'nothing' : "light's and dark's seconds, up to three decimals,";
    throw new NotationError('position-syntax', `expected ${what} after the ply, got '${fields.join(' ')}'`);
  }
  position.clocks[0] = light;
  position.clocks[1] = dark;
  checkClocks(position, rules);
}

/**
 * Inverse of `formatPosition`. The outcome is computed as if the player not to move had just moved (Q4.4).
 *
 * @throws NotationError `position-syntax` (with row and column), `position-size`, `position-turn`.
 */
export function parsePosition(text: string, rules: QuessRules): QuessPosition {
  const [board = '', player, ply = '', ...times] = text.trim().split(/\s+/);
  const rows = board.split('/');
  if (rows.length !== SIZE) {
    const found = board === '' ? 'nothing' : `${rows.length}`;
    throw new NotationError('position-size', `expected ${SIZE} rows joined by /, got ${found}`);
  }
  const position = emptyPosition(rules.clockSeconds !== null);
  rows.forEach((row, i) => {
    parseRow(row, SIZE - 1 - i, position);
  });
  checkPieces(position);
  if (player !== 'l' && player !== 'd') {
    throw new NotationError(
      'position-turn',
      `expected l or d to move after the rows, got ${quote(player ?? '')}`,
    );
  }
  if (!/^(0|[1-9]\d*)$/.test(ply) || Number(ply) > MAX_PLY) {
    throw new NotationError('position-turn', `expected a ply 0 to ${MAX_PLY}, got ${quote(ply)}`);
  }
  position.player = player === 'l' ? 0 : 1;
  position.ply = Number(ply);
  parseClocks(times, position, rules);
  settle(position);
  return position;
}

/** The starting position, with `clockSeconds` on both clocks; null: no clocks. */
export function startPosition(clockSeconds: number | null): QuessPosition {
  const times = clockSeconds === null ? '' : ` ${clockSeconds} ${clockSeconds}`;
  return parsePosition(START_TEXT + times, { clockSeconds });
}
