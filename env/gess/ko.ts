import { type Action, opponentOf, type Player } from '../game.js';
import { PLAYER_HASH_HIGH, PLAYER_HASH_LOW } from './board-hash.js';
import { PADDED_ROWS } from './gess-board.js';
import { applyMove, restoreStones, undoMove } from './gess-moves.js';
import type { GessPosition } from './gess-position.js';
import { RECORD_HASH_HIGH, RECORD_HASH_LOW, RECORD_SIZE } from './gess-position.js';
import type { GessRules } from './gess-rules.js';

/**
 * The house rules about repetition (docs/reference/rules.md, 4.6): which moves would repeat an earlier board. A board
 * is the stones, regardless of the player to move. Boards are compared stone by stone; hashes only select candidates.
 */

/** Stands for an absent index of a board. */
export const NO_BOARD = -1;

/** Scratch of each call; kept to avoid allocation. */
const rewound: readonly [Int32Array, Int32Array] = [new Int32Array(PADDED_ROWS), new Int32Array(PADDED_ROWS)];

function startRewinding(position: GessPosition): void {
  rewound[0].set(position.stones[0]);
  rewound[1].set(position.stones[1]);
}

/** Turns `rewound` from the board after move number `index` of the history into the board before it. */
function rewindMove(position: GessPosition, index: number): void {
  // Players alternate, so the mover of an earlier move follows from the player to move now.
  const mover = position.player ^ ((position.historyLength - index) & 1);
  restoreStones(rewound[mover]!, rewound[1 - mover]!, position.records, index * RECORD_SIZE);
}

function isRewound(position: GessPosition, player: Player): boolean {
  const now = position.stones[player];
  const then = rewound[player];
  for (let index = 0; index < PADDED_ROWS; index++) if (now[index] !== then[index]) return false;
  return true;
}

/** Index of the oldest board that the rule covers, for a move that makes the history `length` long. */
function oldestBoard(length: number, ko: GessRules['ko']): number {
  return ko === 'superko' ? 0 : Math.max(0, length - 2);
}

/**
 * Whether some move might repeat an earlier board: one with the opponent's stones where they are now. A move
 * leaves them in place or captures some, and captured stones never return, so no other board can recur.
 */
export function mayRestoreBoard(position: GessPosition, ko: GessRules['ko']): boolean {
  if (ko === 'none') return false;
  const opponent = opponentOf(position.player);
  const oldest = oldestBoard(position.historyLength + 1, ko);
  startRewinding(position);
  for (let index = position.historyLength - 1; index >= oldest; index--) {
    rewindMove(position, index);
    if (isRewound(position, opponent)) return true;
  }
  return false;
}

function hasBoardAt(position: GessPosition, index: number): boolean {
  startRewinding(position);
  for (let later = position.historyLength - 1; later >= index; later--) rewindMove(position, later);
  return isRewound(position, 0) && isRewound(position, 1);
}

/**
 * Index in the history, 0 the first position, of a board that `action` would repeat against the rule, or
 * `NO_BOARD`. `position` is unchanged afterwards.
 */
export function findRestoredBoard(position: GessPosition, action: Action, ko: GessRules['ko']): number {
  applyMove(position, action);
  const { records, historyLength, player } = position;
  const low = position.hashLow ^ (player === 0 ? 0 : PLAYER_HASH_LOW);
  const high = position.hashHigh ^ (player === 0 ? 0 : PLAYER_HASH_HIGH);
  let found = NO_BOARD;
  for (
    let index = historyLength - 1;
    found === NO_BOARD && index >= oldestBoard(historyLength, ko);
    index--
  ) {
    const record = index * RECORD_SIZE;
    const isSecond = (player ^ ((historyLength - index) & 1)) === 1;
    const hasHash =
      (records[record + RECORD_HASH_LOW]! ^ (isSecond ? PLAYER_HASH_LOW : 0)) === low &&
      (records[record + RECORD_HASH_HIGH]! ^ (isSecond ? PLAYER_HASH_HIGH : 0)) === high;
    if (hasHash && hasBoardAt(position, index)) found = index;
  }
  undoMove(position);
  return found;
}
