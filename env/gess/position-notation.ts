import { NotationError } from '../errors.js';
import { SIZE } from './gess-board.js';
import { fileName } from './move-notation.js';
import type { GessPosition } from './gess-position.js';
import { emptyPosition, settle } from './gess-position.js';
import { quote } from '../text/quoted-text.js';

/** The starting position. */
export const START_TEXT =
  '1w1w1wwwwwwww1w1w1/www1w1wwww1w1w1www/1w1w1wwwwwwww1w1w1/18/18/1w2w2w2w2w2w1/18/18/18/18/18/18/' +
  '1b2b2b2b2b2b1/18/18/1b1b1bbbbbbbb1b1b1/bbb1b1bbbb1b1b1bbb/1b1b1bbbbbbbb1b1b1 b 0';

/** Number of ranks, and of files, that stones can stand on. */
const BOARD_SIZE = SIZE - 2;
/** `pack` writes the ply in two bytes. */
const MAX_PLY = 65_535;

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
 * Formats ranks 19 down to 2, joined by `/`, each with files b to s: `b` and `w` for stones, numbers for runs
 * of empty squares. The player to move, `b` or `w`, and the ply follow.
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
    throw new NotationError('position-syntax', `rank ${rank}${at}: expected ${expected}, got ${quote(text)}`);
  };
  for (const [token] of text.matchAll(/\d+|\D/gu)) {
    const isRun = /\d/.test(token);
    if (!isRun && token !== 'b' && token !== 'w') {
      fail(`b, w or a number of empty squares, found ${quote(token)}`);
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
 * Inverse of `formatPosition`.
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
      `expected b or w to move after the ranks, got ${quote(player ?? '')}`,
    );
  }
  if (ply === undefined || !/^(0|[1-9]\d*)$/.test(ply) || Number(ply) > MAX_PLY || rest.length > 0) {
    const found = [ply, ...rest].join(' ');
    throw new NotationError(
      'position-turn',
      `expected a ply 0 to ${MAX_PLY} and nothing after it, got ${quote(found)}`,
    );
  }
  position.player = player === 'b' ? 0 : 1;
  position.ply = Number(ply);
  settle(position);
  return position;
}
