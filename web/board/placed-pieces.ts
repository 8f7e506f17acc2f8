import type { Piece, Square } from './rules/board-rules.js';
import type { MoveEffect } from './move-effect.js';

/** A piece with an identity that stays the same across moves. */
export interface PlacedPiece extends Piece {
  readonly id: number;
  /** Whether it is part of the piece that moved last. */
  readonly isMoving: boolean;
}

/**
 * The pieces of the next position with the identities of the last one: those in `moved` keep theirs on their new
 * squares, the others stay on their squares.
 *
 * @param moved squares after the move by those before; absent if the positions are not a move apart.
 */
export function placePieces(
  last: readonly PlacedPiece[],
  pieces: readonly Piece[],
  moved: MoveEffect['moved'] | undefined,
): readonly PlacedPiece[] {
  const arrivals = new Map<Square, PlacedPiece>();
  const stays = new Map<Square, PlacedPiece>();
  for (const piece of last) {
    const goal = moved?.get(piece.square);
    if (goal === undefined) stays.set(piece.square, piece);
    else arrivals.set(goal, piece);
  }
  let nextId = last.reduce((greatest, { id }) => Math.max(greatest, id), 0) + 1;
  return pieces.map((piece) => {
    const { square, player, shape } = piece;
    const arrival = arrivals.get(square);
    const known = arrival ?? stays.get(square);
    const isSame = known?.player === player && known.shape === shape;
    if (isSame) return { ...piece, id: known.id, isMoving: arrival !== undefined };
    nextId += 1;
    return { ...piece, id: nextId, isMoving: moved !== undefined };
  });
}
