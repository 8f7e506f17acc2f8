import type { Action } from '../game.js';
import {
  CIRCLE,
  EMPTY,
  FIRST_HOP,
  MAX_DISTANCE,
  mayTake,
  MOVES_PER_SQUARE,
  NUM_ACTIONS,
  NUM_DIRECTIONS,
  OFF_BOARD,
  ownerOf,
  shapeOf,
  SQUARE,
  startSquare,
  TARGETS,
  TRIANGLE,
  WORD_SQUARES,
} from './quess-board.js';
import { NO_RECORD, type QuessPosition } from './quess-position.js';
import { findRepeated, mayRepeat } from './superko.js';

/**
 * The starting army has three triangles of 4 moves, two circles of 8 and a square of 10, and armies never
 * grow.
 */
export const MAX_LEGAL_ACTIONS = 38;

/** Scratch of each call; kept to avoid allocation. */
const scratch = new Int32Array(MAX_LEGAL_ACTIONS);

/** Writes the moves of `mover`, a square, from `start` to `out[count …]`; returns the new count. */
function listSlides(position: QuessPosition, start: number, out: Int32Array, count: number): number {
  const { cells } = position;
  const mover = cells[start]!;
  for (let direction = 0; direction < NUM_DIRECTIONS; direction++) {
    const first = start * MOVES_PER_SQUARE + direction * MAX_DISTANCE;
    for (let action = first; action < first + MAX_DISTANCE; action++) {
      const end = TARGETS[action]!;
      if (end === OFF_BOARD) break;
      const there = cells[end]!;
      if (mayTake(mover, there)) out[count++] = action;
      if (there !== EMPTY) break;
    }
  }
  return count;
}

/** As `listSlides`, for a triangle or a circle, which makes a single step or hop. */
function listLeaps(position: QuessPosition, start: number, out: Int32Array, count: number): number {
  const { cells } = position;
  const mover = cells[start]!;
  const isCircle = shapeOf(mover) === CIRCLE;
  const first = start * MOVES_PER_SQUARE + (isCircle ? FIRST_HOP : 0);
  const end = start * MOVES_PER_SQUARE + (isCircle ? MOVES_PER_SQUARE : FIRST_HOP);
  const stride = isCircle ? 1 : MAX_DISTANCE;
  for (let action = first; action < end; action += stride) {
    const target = TARGETS[action]!;
    if (target !== OFF_BOARD && mayTake(mover, cells[target]!)) out[count++] = action;
  }
  return count;
}

/**
 * Writes the moves of the player to move, ascending, ignoring superko and the end of the game; returns their
 * number.
 */
export function listMoves(position: QuessPosition, out: Int32Array): number {
  const { cells, occupied, player } = position;
  let count = 0;
  for (let half = 0; half < 2; half++) {
    for (let left = occupied[player * 2 + half]!; left !== 0; left &= left - 1) {
      const start = half * WORD_SQUARES + 31 - Math.clz32(left & -left);
      count =
        shapeOf(cells[start]!) === SQUARE
          ? listSlides(position, start, out, count)
          : listLeaps(position, start, out, count);
    }
  }
  return count;
}

/** Whether superko bars `action`, which has the index `index` in `listMoves`. */
function isBarred(position: QuessPosition, action: Action, index: number): boolean {
  if (position.historyLength === 0) return ((position.priorBars[index >> 5]! >> (index & 31)) & 1) === 1;
  return findRepeated(position, action) !== NO_RECORD;
}

/** Whether superko can bar any move. */
function mayBar(position: QuessPosition): boolean {
  if (position.historyLength > 0) return mayRepeat(position);
  return (position.priorBars[0]! | position.priorBars[1]!) !== 0;
}

/**
 * Removes the moves that superko bars from the `count` moves of `listMoves` in `out`; returns the number
 * left.
 */
function dropBarred(position: QuessPosition, out: Int32Array, count: number): number {
  if (!mayBar(position)) return count;
  let left = 0;
  for (let index = 0; index < count; index++) {
    const action = out[index]!;
    if (!isBarred(position, action, index)) out[left++] = action;
  }
  return left;
}

/** Writes the legal actions, ascending; returns their number, 0 exactly when the game is over. */
export function listLegalMoves(position: QuessPosition, out: Int32Array): number {
  if (position.outcome !== null) return 0;
  return dropBarred(position, out, listMoves(position, out));
}

/** The number of legal actions. */
export function countLegalMoves(position: QuessPosition): number {
  return listLegalMoves(position, scratch);
}

/** Whether the player to move has a move that superko allows, ignoring the end of the game. */
export function hasMove(position: QuessPosition): boolean {
  const count = listMoves(position, scratch);
  if (!mayBar(position)) return count > 0;
  for (let index = 0; index < count; index++) {
    if (!isBarred(position, scratch[index]!, index)) return true;
  }
  return false;
}

/**
 * Writes the moves that superko bars, ascending, to the front of `out`, and their indices in `listMoves` as
 * bits to `bits`, two words; returns their number. Ignores the end of the game.
 */
export function listBarredMoves(position: QuessPosition, out: Int32Array, bits: Int32Array): number {
  bits[0] = 0;
  bits[1] = 0;
  if (!mayBar(position)) return 0;
  const count = listMoves(position, out);
  let barred = 0;
  for (let index = 0; index < count; index++) {
    const action = out[index]!;
    if (!isBarred(position, action, index)) continue;
    out[barred++] = action;
    bits[index >> 5]! |= 1 << (index & 31);
  }
  return barred;
}

/** Whether all squares between the ends of the slide `action` are empty. */
function isWayFree(position: QuessPosition, action: Action): boolean {
  const first = action - ((action % MOVES_PER_SQUARE) % MAX_DISTANCE);
  for (let way = first; way < action; way++) {
    if (position.cells[TARGETS[way]!] !== EMPTY) return false;
  }
  return true;
}

/** Whether `action`, 0 to 1007, is among `listMoves`. */
export function isMove(position: QuessPosition, action: Action): boolean {
  const { cells } = position;
  const end = TARGETS[action]!;
  const mover = cells[startSquare(action)]!;
  if (end === OFF_BOARD || mover === EMPTY || ownerOf(mover) !== position.player) return false;
  if (!mayTake(mover, cells[end]!)) return false;
  const plane = action % MOVES_PER_SQUARE;
  switch (shapeOf(mover)) {
    case CIRCLE:
      return plane >= FIRST_HOP;
    case TRIANGLE:
      return plane < FIRST_HOP && plane % MAX_DISTANCE === 0;
    default:
      return plane < FIRST_HOP && isWayFree(position, action);
  }
}

function isNumbered(action: Action): boolean {
  return Number.isInteger(action) && action >= 0 && action < NUM_ACTIONS;
}

/** Whether `action`, any integer, is legal. */
export function isLegalMove(position: QuessPosition, action: Action): boolean {
  if (position.outcome !== null || !isNumbered(action)) return false;
  if (!isMove(position, action)) return false;
  if (!mayBar(position)) return true;
  if (position.historyLength > 0) return findRepeated(position, action) === NO_RECORD;
  const count = listMoves(position, scratch);
  return !isBarred(position, action, scratch.subarray(0, count).indexOf(action));
}
