import { type Action, opponentOf, type Player } from '../game.js';
import { PLAYER_HASH_HIGH, PLAYER_HASH_LOW } from './board-hash.js';
import { PADDED_ROWS } from './gess-board.js';
import { applyMove, restoreStones, undoMove } from './gess-moves.js';
import type { GessPosition } from './gess-position.js';
import { RECORD_HASH_HIGH, RECORD_HASH_LOW, RECORD_SIZE } from './gess-position.js';
import type { GessRules } from './gess-rules.js';

/**
 * The house rules about repetition (docs/rules.md, 4.6): which moves would bring an earlier board back. A board
 * is the stones, whoever is to move. Boards are compared stone by stone; hashes only pick those worth comparing.
 */

/** In place of the index of a board where there is none. */
export const NO_BOARD = -1;

/** Filled by every function that uses it; kept only so that nothing is allocated a move. */
const rewound: readonly [Int32Array, Int32Array] = [new Int32Array(PADDED_ROWS), new Int32Array(PADDED_ROWS)];

function startRewinding(position: GessPosition): void {
  rewound[0].set(position.stones[0]);
  rewound[1].set(position.stones[1]);
}

/** Makes `rewound`, the board after move number `index` of the history, the board before it. */
function rewindMove(position: GessPosition, index: number): void {
  // Players take turns, so who made an earlier move follows from who is to move now.
  const mover = position.player ^ ((position.historyLength - index) & 1);
  restoreStones(rewound[mover]!, rewound[1 - mover]!, position.records, index * RECORD_SIZE);
}

function isRewound(position: GessPosition, player: Player): boolean {
  const now = position.stones[player];
  const then = rewound[player];
  for (let index = 0; index < PADDED_ROWS; index++) if (now[index] !== then[index]) return false;
  return true;
}

/** The oldest board of the history that the rule looks at, for a move that makes it `length` long. */
function oldestBoard(length: number, ko: GessRules['ko']): number {
  return ko === 'superko' ? 0 : Math.max(0, length - 2);
}

/**
 * Whether some move might bring an earlier board back: one on which the opponent's stones were where they
 * are now. A move leaves them there or takes some, and stones never come back, so no other board can return.
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
 * Where in the history, 0 the first position, a board stood that `action` brings back and the rule bars, or
 * `NO_BOARD`. Leaves `position` as it was.
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
