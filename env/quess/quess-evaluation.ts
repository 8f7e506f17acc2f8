import { type Action, opponentOf } from '../game.js';
import { EMPTY, isInZone, NUM_SQUARES, ownerOf, shapeOf, SIZE, startSquare, TARGETS } from './quess-board.js';
import type { QuessPosition } from './quess-position.js';
import type { Evaluation } from '../definition/evaluation.js';

/** `[4]` values of a triangle, a circle and a square, about proportional to their reach. */
const WORTH = [0, 100, 180, 220] as const;
/**
 * Value of a step of a triangle, a circle and a square towards the far corner; slow pieces must start early.
 */
const STEP_WORTH = [0, 12, 6, 3] as const;
/** Value of a piece in the opponent's zone; a second one wins. */
const IN_ZONE = 150;
/** Value of an empty square beside a piece. */
const ROOM = 3;

/** Rows and columns between a square and the corner that `player` plays towards, 0..10. */
function stepsToCorner(player: 0 | 1, square: number): number {
  const row = Math.floor(square / SIZE);
  const fromFirst = row + square - row * SIZE;
  return player === 0 ? 2 * (SIZE - 1) - fromFirst : fromFirst;
}

/** `[2, 4, 36]` value of a piece of each player and shape on each square. */
const SQUARE_WORTH = Int32Array.from({ length: 2 * 4 * NUM_SQUARES }, (_, index) => {
  const square = index % NUM_SQUARES;
  const shape = (Math.floor(index / NUM_SQUARES) % 4) as 0 | 1 | 2 | 3;
  const player = index < 4 * NUM_SQUARES ? 0 : 1;
  const advance = (10 - stepsToCorner(player, square)) * STEP_WORTH[shape];
  return WORTH[shape] + advance + (isInZone(opponentOf(player), square) ? IN_ZONE : 0);
});

/** Empty squares beside `square`, 0 to 4. */
function roomAround(cells: Uint8Array, square: number): number {
  const column = square % SIZE;
  return (
    (column > 0 && cells[square - 1] === EMPTY ? 1 : 0) +
    (column < SIZE - 1 && cells[square + 1] === EMPTY ? 1 : 0) +
    (cells[square - SIZE] === EMPTY ? 1 : 0) +
    (cells[square + SIZE] === EMPTY ? 1 : 0)
  );
}

/** The value of `piece` to its owner on `square`. */
function worthOn(piece: number, square: number): number {
  return SQUARE_WORTH[(ownerOf(piece) * 4 + shapeOf(piece)) * NUM_SQUARES + square]!;
}

function valueToLight({ cells }: QuessPosition): number {
  let value = 0;
  for (let square = 0; square < NUM_SQUARES; square++) {
    const piece = cells[square]!;
    if (piece === EMPTY) continue;
    const worth = worthOn(piece, square) + ROOM * roomAround(cells, square);
    value += ownerOf(piece) === 0 ? worth : -worth;
  }
  return value;
}

/** Promise of `action`, by its capture and its progress into or towards the opponent's zone. */
function promiseOf({ cells }: QuessPosition, action: Action): number {
  const start = startSquare(action);
  const end = TARGETS[action]!;
  const piece = cells[start]!;
  const taken = cells[end]!;
  const gain = worthOn(piece, end) - worthOn(piece, start);
  return Math.max(0, gain) + (taken === EMPTY ? 0 : worthOn(taken, end));
}

/**
 * Hand-written evaluation of Quess: material, steps towards the far corner, pieces in the zone there, room. A
 * triangle is 100.
 */
export const quessEvaluation: Evaluation<QuessPosition> = {
  evaluate: (position) => (position.player === 0 ? valueToLight(position) : 0 - valueToLight(position)),
  promise: promiseOf,
  scale: 200,
  dependsOnHistory: true,
};
