import type { Square } from './rules/board-rules.js';

/** An arrow between two squares; `weight` in 0..1 is its strength. */
export interface Arrow {
  readonly start: Square;
  readonly end: Square;
  readonly weight: number;
}

/** Marks that an analysis draws on the board. */
export interface AnalysisMarks {
  /** The strongest last. */
  readonly arrows: readonly Arrow[];
  /** Warmth of squares, 0..1: the policy of moves that start there, or end there for a chosen piece. */
  readonly heat: ReadonlyMap<Square, number>;
}

/** No marks. */
export const NO_MARKS: AnalysisMarks = { arrows: [], heat: new Map() };
