import { type Action, NO_ACTION, type Outcome, type Player } from '../game.js';
import { mixBits, joinHash } from '../random.js';
import { NUM_SHAPES, NUM_SQUARES, type Piece, WORD_SQUARES } from './quess-board.js';

/** Squares in one word of a board, three bits each. */
const CODE_SQUARES = 9;
/** Words of a board. */
export const CODE_WORDS = NUM_SQUARES / CODE_SQUARES;
/** `[36]` index of the word of `code` that holds each square. */
export const CODE_WORD = Uint8Array.from({ length: NUM_SQUARES }, (_, square) =>
  Math.floor(square / CODE_SQUARES),
);
/** `[36]` lowest bit of each square in its word of `code`. */
export const CODE_SHIFT = Uint8Array.from(
  { length: NUM_SQUARES },
  (_, square) => 3 * (square % CODE_SQUARES),
);

/**
 * Words of a move's record in the history; the offsets follow. All but the action describe the position
 * before the move.
 */
export const RECORD_SIZE = 13;
/** The action. */
export const RECORD_ACTION = 0;
/** The captured `Piece`, or `EMPTY`. */
export const RECORD_CAPTURED = 1;
/** Four words: the board. */
export const RECORD_CODE = 2;
/** Low word of the board's hash. */
export const RECORD_HASH_LOW = 6;
/** High word of the board's hash. */
export const RECORD_HASH_HIGH = 7;
/** The previous record of its chain, or `NO_RECORD`. */
export const RECORD_NEXT = 8;
/** `firstAlike` before the move. */
export const RECORD_FIRST_ALIKE = 9;
/** Two words: the clocks at the beginning of the turn. */
export const RECORD_CLOCKS = 10;
/** The outcome, by `outcomeToWord`. */
export const RECORD_OUTCOME = 12;

/** Stands for an absent record. */
export const NO_RECORD = -1;
/** In a record: an unfinished game. */
const NO_OUTCOME = 2;

const FIRST_CAPACITY = 64;
/** Records are chained by the low bits of their boards' hashes; in long games a chain has a few records. */
const NUM_CHAINS = 256;

/**
 * A Quess position with the moves that led to it. Created and changed only by the functions of this folder.
 */
export interface QuessPosition {
  /** `[36]` the `Piece` on each square. */
  readonly cells: Uint8Array;
  /** `[4]` the cells, three bits each: boards are equal exactly if their codes are. */
  readonly code: Int32Array;
  /** `[2, 2]` squares occupied by light, and by dark, low and high word (quess-board.ts). */
  readonly occupied: Int32Array;
  player: Player;
  ply: number;
  outcome: Outcome | null;
  /** Low 32 bits of the hash of the board without the player; `hashHigh` has the high 32 bits. */
  hashLow: number;
  hashHigh: number;
  /** `[capacity, 13]` one record a move. */
  records: Int32Array;
  historyLength: number;
  /** `[256]` the last record of each chain, or `NO_RECORD`. */
  readonly chains: Int32Array;
  /** The first record whose board has the same number of pieces as this one: earlier boards cannot recur. */
  firstAlike: number;
  /** `[2]` the last move before the history and the one before that, or `NO_ACTION`. */
  readonly priorActions: Int32Array;
  /**
   * `[2]` moves of the first position that boards before the history bar: bit `i` of 64 for the move with
   * index `i` in `listMoves`.
   */
  readonly priorBars: Int32Array;
  /** Whether the players have clocks. */
  readonly isTimed: boolean;
  /** `[2]` milliseconds that light and dark have left; 0 without clocks. */
  readonly clocks: Int32Array;
  /** Milliseconds of the player to move at the beginning of the turn; 0 without clocks. */
  turnClock: number;
}

/** An empty board, for the caller to fill; `settle` must follow. */
export function emptyPosition(isTimed: boolean): QuessPosition {
  return {
    cells: new Uint8Array(NUM_SQUARES),
    code: new Int32Array(CODE_WORDS),
    occupied: new Int32Array(4),
    player: 0,
    ply: 0,
    outcome: null,
    hashLow: 0,
    hashHigh: 0,
    records: new Int32Array(FIRST_CAPACITY * RECORD_SIZE),
    historyLength: 0,
    chains: new Int32Array(NUM_CHAINS).fill(NO_RECORD),
    firstAlike: 0,
    priorActions: new Int32Array(2).fill(NO_ACTION),
    priorBars: new Int32Array(2),
    isTimed,
    clocks: new Int32Array(2),
    turnClock: 0,
  };
}

/** An independent copy, history included. */
export function clonePosition(position: QuessPosition): QuessPosition {
  return {
    ...position,
    cells: position.cells.slice(),
    code: position.code.slice(),
    occupied: position.occupied.slice(),
    records: position.records.slice(),
    chains: position.chains.slice(),
    priorActions: position.priorActions.slice(),
    priorBars: position.priorBars.slice(),
    clocks: position.clocks.slice(),
  };
}

/** `[36, 7]` Zobrist keys (1970) of each piece on each square; 0 for `EMPTY`. */
const HASHES_LOW = Int32Array.from({ length: NUM_SQUARES * 7 }, (_, i) => hashWord(i, 0x9e3779b9));
const HASHES_HIGH = Int32Array.from({ length: NUM_SQUARES * 7 }, (_, i) => hashWord(i, 0x7f4a7c15));

function hashWord(index: number, lane: number): number {
  return index % 7 === 0 ? 0 : mixBits(Math.imul(index + 1, lane) ^ mixBits(lane));
}

/** The low word of the key of `piece` on `square`. */
export function pieceHashLow(square: number, piece: Piece): number {
  return HASHES_LOW[square * 7 + piece]!;
}

/** The high word, as `pieceHashLow`. */
export function pieceHashHigh(square: number, piece: Piece): number {
  return HASHES_HIGH[square * 7 + piece]!;
}

/** 53-bit hash of the board and the player to move. */
export function positionHash(position: QuessPosition): number {
  const isDark = position.player === 1;
  return joinHash(
    position.hashLow ^ (isDark ? 0x5bd1e995 : 0),
    position.hashHigh ^ (isDark ? 0x1b873593 : 0),
  );
}

/** 53-bit hash of the position's hash and `words`. */
export function mixHash(position: QuessPosition, words: readonly number[]): number {
  let low = position.hashLow ^ position.player;
  let high = position.hashHigh;
  for (const word of words) {
    low = mixBits(Math.imul(low, 5) + word);
    high = mixBits(Math.imul(high, 9) ^ word);
  }
  return joinHash(low, high);
}

/** Replaces the content of `square` by `piece` and updates all fields that depend on it. */
export function setPiece(position: QuessPosition, square: number, piece: Piece): void {
  const { cells, occupied } = position;
  const before = cells[square]!;
  const half = square < WORD_SQUARES ? 0 : 1;
  const bit = 1 << (square - half * WORD_SQUARES);
  if (before !== 0) occupied[before > NUM_SHAPES ? 2 + half : half]! &= ~bit;
  if (piece !== 0) occupied[piece > NUM_SHAPES ? 2 + half : half]! |= bit;
  cells[square] = piece;
  position.code[CODE_WORD[square]!]! ^= (before ^ piece) << CODE_SHIFT[square]!;
  position.hashLow ^= pieceHashLow(square, before) ^ pieceHashLow(square, piece);
  position.hashHigh ^= pieceHashHigh(square, before) ^ pieceHashHigh(square, piece);
}

/** The chain of boards with this hash. */
export function chainOf(hashLow: number): number {
  return hashLow & (NUM_CHAINS - 1);
}

/** Encodes an outcome for a record. */
export function outcomeToWord(outcome: Outcome | null): number {
  return outcome ?? NO_OUTCOME;
}

/** Inverse of `outcomeToWord`. */
export function wordToOutcome(word: number): Outcome | null {
  return word === NO_OUTCOME ? null : (word as Outcome);
}

/** The move made `back` moves ago, 1 or 2; `NO_ACTION` if there is none. */
export function recentAction(position: QuessPosition, back: number): Action {
  const index = position.historyLength - back;
  if (index >= 0) return position.records[index * RECORD_SIZE + RECORD_ACTION]!;
  return position.priorActions[-index - 1] ?? NO_ACTION;
}
