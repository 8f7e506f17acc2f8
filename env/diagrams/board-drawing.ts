/**
 * The reason why a square is marked:
 *
 * - `before`, `after`: the last move started there, or ended there; `captured`: it captured the piece there;
 * - `ring`: part of a formation that a player must not lose; `threat`: part of one that the opponent can break next;
 * - `piece`: part of the chosen piece; `center`: its centre, if that is one square of several; `destination`: the
 *   chosen piece can go there.
 */
export type SquareMark =
  'before' | 'after' | 'captured' | 'ring' | 'threat' | 'piece' | 'center' | 'destination';

/** A piece on a square. */
export interface DrawnPiece {
  readonly player: 0 | 1;
  readonly shape: 'disc' | 'triangle' | 'square';
}

/** A square with its piece and marks. */
export interface DrawnSquare {
  readonly piece?: DrawnPiece | undefined;
  /** Fill of the square as `#rrggbb`. */
  readonly fill: string;
  /** Whether it lies on the margin of the board, where pieces never stand. Defaults to false. */
  readonly isOutside?: boolean;
  /** Without duplicates. */
  readonly marks: readonly SquareMark[];
}

/**
 * A board of squares for front-ends that draw it themselves, such as a terminal with colours. `R`, `C` are its rows and
 * columns.
 */
export interface BoardDrawing {
  /** `[C]` names of the columns, from the left. */
  readonly columnNames: readonly string[];
  /** `[R]` names of the rows, the top one first; empty texts if rows have no names. */
  readonly rowNames: readonly string[];
  /** `[R][C]`, the top row first. */
  readonly rows: readonly (readonly DrawnSquare[])[];
  /** Fills of the pieces of players 0 and 1 as `#rrggbb`. */
  readonly pieceFills: readonly [string, string];
  /** Fill of the holes of squares without a piece, on boards with holes. */
  readonly holeFill?: string;
  /** Facts that the squares do not show, one a line: `white's ring on l18 is in danger`. */
  readonly notes: readonly string[];
}

/** The numbers of pieces of players 0 and 1. */
export function countDrawnPieces({ rows }: BoardDrawing): readonly [number, number] {
  const counts: [number, number] = [0, 0];
  for (const { piece } of rows.flat()) if (piece !== undefined) counts[piece.player] += 1;
  return counts;
}
