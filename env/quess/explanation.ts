import type { Action } from '../game.js';
import {
  CIRCLE,
  EMPTY,
  FIRST_HOP,
  formatSquare,
  MAX_DISTANCE,
  MOVES_PER_SQUARE,
  OFF_BOARD,
  ownerOf,
  shapeOf,
  startSquare,
  TARGETS,
  TRIANGLE,
} from './quess-board.js';
import { isMove } from './quess-move-generation.js';
import { NO_RECORD, type QuessPosition } from './quess-position.js';
import { findRepeated } from './superko.js';

/** `[4]` names of the shapes, 1 to 3. */
export const SHAPE_NAMES = ['', 'triangle', 'circle', 'square'] as const;

/** The first occupied square between the ends of a slide; undefined if there is none. */
function findBlocked(position: QuessPosition, action: Action): number | undefined {
  const distance = ((action % MOVES_PER_SQUARE) % MAX_DISTANCE) + 1;
  const way = Array.from(TARGETS.subarray(action - distance + 1, action));
  return way.find((square) => position.cells[square] !== EMPTY);
}

function hasWrongGait(shape: number, plane: number): boolean {
  if (plane >= FIRST_HOP) return shape !== CIRCLE;
  return shape === CIRCLE || (shape === TRIANGLE && plane % MAX_DISTANCE > 0);
}

/** Why `action`, 0 to 1007, is illegal in an unfinished game, as a clause that follows its text. */
export function explainIllegalMove(position: QuessPosition, action: Action): string {
  const start = startSquare(action);
  const end = TARGETS[action]!;
  const mover = position.cells[start]!;
  const plane = action % MOVES_PER_SQUARE;
  const name = SHAPE_NAMES[shapeOf(mover) as 0 | 1 | 2 | 3];
  if (end === OFF_BOARD) return 'leaves the board';
  if (mover === EMPTY || ownerOf(mover) !== position.player) {
    return `starts on ${formatSquare(start)}, where the mover has no piece`;
  }
  if (hasWrongGait(shapeOf(mover), plane)) return `is not how a ${name} moves`;
  const blocked = plane < FIRST_HOP ? findBlocked(position, action) : undefined;
  if (blocked !== undefined) return `is blocked by the piece on ${formatSquare(blocked)}`;
  if (isMove(position, action)) return explainSuperko(position, action);
  if (ownerOf(position.cells[end]!) === position.player) return `ends on a piece of the mover's own`;
  return `would take a ${name} with a ${name}, and no piece takes one of its own shape`;
}

/** The reason for a move that superko bars. */
function explainSuperko(position: QuessPosition, action: Action): string {
  const index = position.historyLength === 0 ? NO_RECORD : findRepeated(position, action);
  if (index === NO_RECORD) return 'would bring back an earlier board';
  return `would bring back the board of ply ${position.ply - position.historyLength + index}`;
}
