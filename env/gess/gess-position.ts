import { type Action, NO_ACTION, opponentOf, type Outcome, type Player } from '../game.js';
import { highBits, lowBits, PLAYER_HASH_HIGH, PLAYER_HASH_LOW, rowKeys } from './board-hash.js';
import { PADDED_ROWS, SIZE } from './gess-board.js';
import { findRing, isRing, NO_RING } from './rings.js';

/** Words of a move's record on the undo stack; the offsets follow. */
export const RECORD_SIZE = 16;
/** The action. */
export const RECORD_ACTION = 0;
/** Low word of the board's hash before the move. */
export const RECORD_HASH_LOW = 1;
/** High word of the board's hash before the move. */
export const RECORD_HASH_HIGH = 2;
/** Two words: `rings` before the move. */
export const RECORD_RINGS = 3;
/** Three words: the mover's rows around the start. */
export const RECORD_START = 5;
/** Six words: the mover's rows around the end, then the opponent's. */
export const RECORD_END = 8;

const FIRST_CAPACITY = 64;

/**
 * A Gess position with the moves that led to it. Created and changed only by the functions of this folder.
 */
export interface GessPosition {
  /** `[22]` rows of Black's stones, and of White's (gess-board.ts). */
  readonly stones: readonly [Int32Array, Int32Array];
  player: Player;
  ply: number;
  outcome: Outcome | null;
  /** Low 32 bits of the hash of the board and the player to move; `hashHigh` has the high 32 bits. */
  hashLow: number;
  hashHigh: number;
  /** `[2]` centre of one ring of each player, or `NO_RING`. */
  readonly rings: Int32Array;
  /** `[capacity, 16]` undo records, one a move. */
  records: Int32Array;
  historyLength: number;
  /** `[2]` the last move before the history and the one before that, or `NO_ACTION`. */
  readonly priorActions: Int32Array;
  /** Whether the first position of the history had occurred before in its game. */
  priorRepetition: boolean;
}

/** An empty board, for the caller to fill; `settle` must follow. */
export function emptyPosition(): GessPosition {
  return {
    stones: [new Int32Array(PADDED_ROWS), new Int32Array(PADDED_ROWS)],
    player: 0,
    ply: 0,
    outcome: null,
    hashLow: 0,
    hashHigh: 0,
    rings: new Int32Array(2).fill(NO_RING),
    records: new Int32Array(FIRST_CAPACITY * RECORD_SIZE),
    historyLength: 0,
    priorActions: new Int32Array(2).fill(NO_ACTION),
    priorRepetition: false,
  };
}

/** An independent copy, history included. */
export function clonePosition(position: GessPosition): GessPosition {
  return {
    ...position,
    stones: [position.stones[0].slice(), position.stones[1].slice()],
    rings: position.rings.slice(),
    records: position.records.slice(),
    priorActions: position.priorActions.slice(),
  };
}

/** The outcome after a move of `mover` (docs/reference/rules.md, 3.2, 3.3). Both `rings` must be up to date. */
export function outcomeAfter(rings: Int32Array, mover: Player): Outcome | null {
  if (rings[mover] === NO_RING) return mover === 0 ? -1 : 1;
  if (rings[opponentOf(mover)] === NO_RING) return mover === 0 ? 1 : -1;
  return null;
}

/** Updates the known ring of `player` if it is broken. */
export function refreshRing(position: GessPosition, player: Player): void {
  const own = position.stones[player];
  const other = position.stones[opponentOf(player)];
  if (!isRing(own, other, position.rings[player]!)) position.rings[player] = findRing(own, other);
}

/** Derives all other fields from stones, player and ply, without history. */
export function settle(position: GessPosition): void {
  const [black, white] = position.stones;
  position.historyLength = 0;
  position.hashLow = position.player === 0 ? 0 : PLAYER_HASH_LOW;
  position.hashHigh = position.player === 0 ? 0 : PLAYER_HASH_HIGH;
  for (const [color, rows] of position.stones.entries()) {
    for (let index = 1; index <= SIZE; index++) {
      position.hashLow ^= lowBits(rowKeys(color, index), rows[index]!);
      position.hashHigh ^= highBits(rowKeys(color, index), rows[index]!);
    }
  }
  position.rings[0] = findRing(black, white);
  position.rings[1] = findRing(white, black);
  position.outcome = outcomeAfter(position.rings, opponentOf(position.player));
}

/** The move made `back` moves ago, 1 or 2; `NO_ACTION` if there is none. */
export function recentAction(position: GessPosition, back: number): Action {
  const index = position.historyLength - back;
  if (index >= 0) return position.records[index * RECORD_SIZE + RECORD_ACTION]!;
  return position.priorActions[-index - 1] ?? NO_ACTION;
}

/** Whether this board with this player to move occurred before in the known part of the game. */
export function isRepetition(position: GessPosition): boolean {
  if (position.historyLength === 0) return position.priorRepetition;
  const { records, hashLow, hashHigh } = position;
  for (let index = position.historyLength - 2; index >= 0; index -= 2) {
    const record = index * RECORD_SIZE;
    if (records[record + RECORD_HASH_LOW] === hashLow && records[record + RECORD_HASH_HIGH] === hashHigh) {
      return true;
    }
  }
  return false;
}
