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
} from './board.js';
import type { GessPosition } from './position.js';
import { emptyPosition, settle } from './position.js';

/** The starting position. */
export const START_TEXT =
  '1w1w1wwwwwwww1w1w1/www1w1wwww1w1w1www/1w1w1wwwwwwww1w1w1/18/18/1w2w2w2w2w2w1/18/18/18/18/18/18/' +
  '1b2b2b2b2b2b1/18/18/1b1b1bbbbbbbb1b1b1/bbb1b1bbbb1b1b1bbb/1b1b1bbbbbbbb1b1b1 b 0';

/** Ranks and files that stones stand on. */
const BOARD_SIZE = SIZE - 2;
/** What two bytes hold: `pack` writes the ply into two. */
const MAX_PLY = 65_535;

/** `l3` for row 2 and column 11. */
export function formatSquare(square: number): string {
  return `${fileName(square % SIZE)}${Math.floor(square / SIZE) + 1}`;
}

function fileName(column: number): string {
  return String.fromCharCode(97 + column);
}

const SQUARE_TEXT = /^([a-t])([1-9]|1\d|20)$/;

/** As `row * 20 + column`; undefined if `text` names no square. */
function parseSquare(text: string): number | undefined {
  const [, file, rank] = SQUARE_TEXT.exec(text) ?? [];
  if (file === undefined || rank === undefined) return undefined;
  return (Number(rank) - 1) * SIZE + file.charCodeAt(0) - 97;
}

/** `f6-f7`: the centre of the piece before and after. */
export function formatMove(action: Action): string {
  return `${formatSquare(startSquare(action))}-${formatSquare(endSquare(action))}`;
}

/**
 * Reads a move such as `f6-f7`; whether a position allows it is another question.
 *
 * @throws NotationError `action-syntax` also for two squares that are not on one line.
 */
export function parseMove(text: string): Action {
  const [start, end, ...rest] = text.trim().split('-').map(parseSquare);
  if (start === undefined || end === undefined || rest.length > 0) {
    throw new NotationError('action-syntax', `expected a move like f6-f7, squares a1 to t20, got '${text}'`);
  }
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
    `expected a move of 1 to ${MAX_DISTANCE} squares along a rank, a file or a diagonal, got '${text}'`,
  );
}

function formatRank(position: GessPosition, index: number): string {
  const [black, white] = position.stones;
  let text = '';
  let empty = 0;
  for (let column = 1; column <= BOARD_SIZE; column++) {
    const stone = (black[index]! >> column) & 1 ? 'b' : (white[index]! >> column) & 1 ? 'w' : '';
    if (stone === '') {
      empty += 1;
      continue;
    }
    text += `${empty === 0 ? '' : empty}${stone}`;
    empty = 0;
  }
  return empty === 0 ? text : `${text}${empty}`;
}

/**
 * Ranks 19 down to 2 joined by `/`, files b to s, `b` and `w` for stones and numbers for runs of empty
 * squares; then the player to move, `b` or `w`, and the ply.
 */
export function formatPosition(position: GessPosition): string {
  const ranks = Array.from({ length: BOARD_SIZE }, (_, i) => formatRank(position, SIZE - 1 - i));
  return `${ranks.join('/')} ${position.player === 0 ? 'b' : 'w'} ${position.ply}`;
}

function parseRank(text: string, rank: number, position: GessPosition): void {
  let column = 1;
  let afterRun = false;
  const fail = (expected: string): never => {
    const at = column <= BOARD_SIZE ? `, file ${fileName(column)}` : '';
    throw new NotationError('position-syntax', `rank ${rank}${at}: expected ${expected}, got '${text}'`);
  };
  for (const [token] of text.matchAll(/\d+|\D/gu)) {
    const isRun = /\d/.test(token);
    if (!isRun && token !== 'b' && token !== 'w') {
      fail(`b, w or a number of empty squares, found '${token}'`);
    }
    if (isRun && (afterRun || token.startsWith('0'))) fail('one number, from 1, for a run of empty squares');
    const width = isRun ? Number(token) : 1;
    if (column + width > BOARD_SIZE + 1) fail(`${BOARD_SIZE} squares, found more`);
    if (!isRun) position.stones[token === 'b' ? 0 : 1][rank]! |= 1 << column;
    column += width;
    afterRun = isRun;
  }
  if (column !== BOARD_SIZE + 1) fail(`${BOARD_SIZE} squares, found ${column - 1}`);
}

/**
 * Reads what `formatPosition` writes.
 *
 * @throws NotationError `position-syntax` (with rank and file), `position-size`, `position-turn`.
 */
export function parsePosition(text: string): GessPosition {
  const [board = '', player, ply, ...rest] = text.trim().split(/\s+/);
  const ranks = board.split('/');
  if (ranks.length !== BOARD_SIZE) {
    const found = board === '' ? 'nothing' : `${ranks.length}`;
    throw new NotationError('position-size', `expected ${BOARD_SIZE} ranks joined by /, got ${found}`);
  }
  const position = emptyPosition();
  ranks.forEach((rankText, i) => {
    parseRank(rankText, BOARD_SIZE + 1 - i, position);
  });
  if (player !== 'b' && player !== 'w') {
    throw new NotationError(
      'position-turn',
      `expected b or w to move after the ranks, got '${player ?? ''}'`,
    );
  }
  if (ply === undefined || !/^(0|[1-9]\d*)$/.test(ply) || Number(ply) > MAX_PLY || rest.length > 0) {
    const found = [ply, ...rest].join(' ');
    throw new NotationError(
      'position-turn',
      `expected a ply 0 to ${MAX_PLY} and nothing after it, got '${found}'`,
    );
  }
  position.player = player === 'b' ? 0 : 1;
  position.ply = Number(ply);
  settle(position);
  return position;
}
