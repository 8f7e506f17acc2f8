import type { BoardRules, Square } from './rules/board-rules.js';

/** Side of a square in the units of the drawing. */
export const CELL = 20;

/** Columns of the board on which a line of width 1 is thin. */
const UNIT_COLUMNS = 20;

/** A point of the drawing, whose y grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Places squares in the drawing, with player 0's side at the bottom, or player 1's. */
export class Geometry {
  readonly width: number;
  readonly height: number;
  /** Width of a thin line, about the same on the screen for every board. */
  readonly unit: number;
  private readonly board: BoardRules<never>;
  private readonly isFlipped: boolean;

  constructor(board: BoardRules<never>, isFlipped: boolean) {
    this.board = board;
    this.isFlipped = isFlipped && !board.dropsPieces;
    this.width = board.columns * CELL;
    this.height = board.rows * CELL;
    this.unit = board.columns / UNIT_COLUMNS;
  }

  /** Row and column of the drawing, from the top left corner. */
  place(square: Square): { readonly row: number; readonly column: number } {
    const { rows, columns } = this.board;
    const [row, column] = [Math.floor(square / columns), square % columns];
    return this.isFlipped ? { row, column: columns - 1 - column } : { row: rows - 1 - row, column };
  }

  /** The square at a row and column of the drawing. */
  squareAt(row: number, column: number): Square {
    const { rows, columns } = this.board;
    return this.isFlipped ? row * columns + columns - 1 - column : (rows - 1 - row) * columns + column;
  }

  /** The square that contains a point; undefined if it is off the board. */
  squareOf({ x, y }: Point): Square | undefined {
    const [row, column] = [Math.floor(y / CELL), Math.floor(x / CELL)];
    const { rows, columns } = this.board;
    if (row < 0 || row >= rows || column < 0 || column >= columns) return undefined;
    return this.squareAt(row, column);
  }

  /** The middle of a square. */
  middle(square: Square): Point {
    const { row, column } = this.place(square);
    return { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL };
  }

  /** A footprint, cut at the edges of the board. */
  box(center: Square): Point & { readonly width: number; readonly height: number } {
    const { rows, columns, reach } = this.board;
    const { row, column } = this.place(center);
    const [left, right] = [Math.max(0, column - reach), Math.min(columns, column + reach + 1)];
    const [top, bottom] = [Math.max(0, row - reach), Math.min(rows, row + reach + 1)];
    return { x: left * CELL, y: top * CELL, width: (right - left) * CELL, height: (bottom - top) * CELL };
  }
}
