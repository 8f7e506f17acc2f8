import type { Square } from './rules/board-rules.js';
import type { MoveEffect } from './move-effect.js';
import type { PositionView } from './position-view.js';

/** The squares of the move that is being entered. */
export interface EntryFacts {
  readonly chosen: Square | null;
  readonly effects: ReadonlyMap<Square, MoveEffect>;
  readonly isOpen: boolean;
}

function ringWords({ rings, table }: PositionView, square: Square): string | null {
  const owner = rings.findIndex((centers) => centers.includes(square));
  return owner < 0 ? null : `centre of a ring of ${table.game.playerNames[owner]!}`;
}

function moveWords(
  view: PositionView,
  square: Square,
  { chosen, effects, isOpen }: EntryFacts,
): string | null {
  if (!isOpen) return null;
  if (square === chosen) return 'chosen';
  const effect = effects.get(square);
  if (effect !== undefined) {
    const { length } = effect.captured;
    return length === 0 ? 'can be reached' : `can be reached, captures ${length}`;
  }
  return view.moves.canStart(square) ? 'can move' : null;
}

/** The name of each square for screen readers: `l3, centre of a ring of black, can move`. */
export function squareLabels(view: PositionView, facts: EntryFacts): readonly string[] {
  const { board } = view.table;
  const words = new Map(
    view.pieces.map(({ square, player, shape }) => [
      square,
      shape === 'stone' ? board.pieceWords[player] : `${board.pieceWords[player]} ${shape}`,
    ]),
  );
  return Array.from({ length: board.rows * board.columns }, (_, square) =>
    [board.squareName(square), words.get(square), ringWords(view, square), moveWords(view, square, facts)]
      .filter((word) => word !== null && word !== undefined)
      .join(', '),
  );
}
