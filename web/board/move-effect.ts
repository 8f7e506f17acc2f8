import type { Action, Player } from '../../env/game.js';
import type { Piece, Square, Table } from './rules/board-rules.js';

/** The effect of a move on the pieces of the board. */
export interface MoveEffect {
  readonly start: Square | null;
  readonly end: Square;
  /** The stones that move, by their squares before and after. */
  readonly moved: ReadonlyMap<Square, Square>;
  /** Stones of the moving piece that leave the board. */
  readonly lost: readonly Piece[];
  /** Stones of either player that the move captures. */
  readonly captured: readonly Piece[];
  /** Centres of rings, by player, that are gone after the move. */
  readonly brokenRings: readonly [readonly Square[], readonly Square[]];
}

/** The squares of a footprint that lie on the board. */
export function footprint({ board }: Table, center: Square): readonly Square[] {
  const { rows, columns, reach } = board;
  const squares: Square[] = [];
  for (let row = -reach; row <= reach; row++) {
    for (let column = -reach; column <= reach; column++) {
      const [atRow, atColumn] = [Math.floor(center / columns) + row, (center % columns) + column];
      if (atRow >= 0 && atRow < rows && atColumn >= 0 && atColumn < columns)
        squares.push(atRow * columns + atColumn);
    }
  }
  return squares;
}

/** Whether something can stand on the square. */
function holdsPieces({ board }: Table, row: number, column: number): boolean {
  const { rows, columns, margin } = board;
  return row >= margin && row < rows - margin && column >= margin && column < columns - margin;
}

/** The squares after a move of the pieces in `piece` from `start` to `end`; null for one that leaves the board. */
function shift(
  table: Table,
  piece: readonly Piece[],
  [start, end]: readonly [Square, Square],
): readonly (readonly [Piece, Square | null])[] {
  const { columns } = table.board;
  const rowShift = Math.floor(end / columns) - Math.floor(start / columns);
  const columnShift = (end % columns) - (start % columns);
  return piece.map((each) => {
    const row = Math.floor(each.square / columns) + rowShift;
    const column = (each.square % columns) + columnShift;
    return [each, holdsPieces(table, row, column) ? row * columns + column : null] as const;
  });
}

/** The effect of a move of `state`, legal or one that can be forced. */
export function effectOf(table: Table, state: unknown, action: Action): MoveEffect {
  const { game, board } = table;
  const [start, end] = [board.startOf(action), board.endOf(state, action)];
  const before = board.pieces(state);
  const after = game.clone(state);
  game.apply(after, action);
  const broken = (player: Player): readonly Square[] => {
    const left = board.rings(after)[player];
    return board.rings(state)[player].filter((ring) => !left.includes(ring));
  };
  const brokenRings = [broken(0), broken(1)] as const;
  if (start === null) return { start, end, moved: new Map(), lost: [], captured: [], brokenRings };
  const under = new Set(footprint(table, start));
  const piece = before.filter(({ square }) => under.has(square));
  const shifted = shift(table, piece, [start, end]);
  const goal = new Set(footprint(table, end));
  return {
    start,
    end,
    moved: new Map(shifted.flatMap(([{ square }, to]) => (to === null ? [] : [[square, to] as const]))),
    lost: shifted.flatMap(([each, to]) => (to === null ? [each] : [])),
    captured: before.filter(({ square }) => goal.has(square) && !under.has(square)),
    brokenRings,
  };
}
