import type { Square, Table } from './rules/board-rules.js';
import type { MoveEffect } from './move-effect.js';
import type { PositionView } from './position-view.js';

/** Time of the shortest move, and of each further square. */
const FIRST_SQUARE_MS = 240;
const NEXT_SQUARE_MS = 22;

/**
 * New squares of pieces by their old ones, if `next` is one move after `last` or one move before it; else undefined.
 */
export function movedSquares(last: PositionView, next: PositionView): MoveEffect['moved'] | undefined {
  if (next.parent === last.node && next.lastMove !== null) return next.lastMove.effect.moved;
  if (last.parent === next.node && last.lastMove !== null) {
    return new Map(Array.from(last.lastMove.effect.moved, ([before, after]) => [after, before]));
  }
  return undefined;
}

/** Duration of the animation between these squares. */
export function moveMs({ board }: Table, moved: ReadonlyMap<Square, Square>): number {
  const { columns } = board;
  const distances = Array.from(moved, ([before, after]) =>
    Math.max(
      Math.abs(Math.floor(before / columns) - Math.floor(after / columns)),
      Math.abs((before % columns) - (after % columns)),
    ),
  );
  return FIRST_SQUARE_MS + NEXT_SQUARE_MS * Math.max(0, ...distances);
}
