import type { Action, Symmetry } from '../game.js';
import {
  FIRST_HOP,
  MAX_DISTANCE,
  MOVES_PER_SQUARE,
  NUM_ACTIONS,
  NUM_SQUARES,
  SIZE,
  startSquare,
} from './quess-board.js';

function transposeSquare(square: number): number {
  return (square % SIZE) * SIZE + Math.floor(square / SIZE);
}

/** Swaps north with east and south with west, and the hops accordingly. */
function transposePlane(plane: number): number {
  if (plane >= FIRST_HOP) return FIRST_HOP + ((FIRST_HOP + 1 - plane) & 7);
  return (Math.floor(plane / MAX_DISTANCE) ^ 1) * MAX_DISTANCE + (plane % MAX_DISTANCE);
}

function transposeAction(action: Action): Action {
  return transposeSquare(startSquare(action)) * MOVES_PER_SQUARE + transposePlane(action % MOVES_PER_SQUARE);
}

/**
 * The symmetries of Quess, the identity first. A symmetry must keep both starting zones in place, so of the
 * square's eight only the identity and the reflection in the diagonal through F1 and A6 qualify (Q1.4).
 */
export const SYMMETRIES: readonly Symmetry[] = [
  {
    name: 'identity',
    squares: Uint16Array.from({ length: NUM_SQUARES }, (_, square) => square),
    policyIndices: Uint16Array.from({ length: NUM_ACTIONS }, (_, action) => action),
  },
  {
    name: 'transpose',
    squares: Uint16Array.from({ length: NUM_SQUARES }, (_, square) => transposeSquare(square)),
    policyIndices: Uint16Array.from({ length: NUM_ACTIONS }, (_, action) => transposeAction(action)),
  },
];
