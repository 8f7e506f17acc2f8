import type { Action } from '../../env/game.js';
import { legalActions, type Square, type Table } from './rules/board-rules.js';

/** The moves of a position by their squares, for the entry of moves on the board. */
export class MoveMap {
  /** Moves by start, then by end. Those of pieces that come from outside the board start on null. */
  private readonly byStart = new Map<Square | null, Map<Square, Action>>();

  constructor(table: Table, state: unknown) {
    for (const action of legalActions(table.game, state)) {
      const start = table.board.startOf(action);
      const ends = this.byStart.get(start) ?? new Map<Square, Action>();
      this.byStart.set(start, ends);
      ends.set(table.board.endOf(state, action), action);
    }
  }

  /** Whether a piece can be chosen on the square. */
  canStart(square: Square): boolean {
    return this.byStart.has(square);
  }

  /** Squares on which a piece can be chosen. */
  get starts(): readonly Square[] {
    return [...this.byStart.keys()].filter((square) => square !== null);
  }

  /** The moves of the chosen piece by their end; those from outside the board for null. */
  endsOf(start: Square | null): ReadonlyMap<Square, Action> {
    return this.byStart.get(start) ?? new Map<Square, Action>();
  }
}

/**
 * The square among `candidates` nearest to `square`, at most `reach` rows and columns away; undefined if there is none.
 */
export function nearest(
  columns: number,
  square: Square,
  candidates: Iterable<Square>,
  reach: number,
): Square | undefined {
  let best: Square | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const rows = Math.abs(Math.floor(candidate / columns) - Math.floor(square / columns));
    const across = Math.abs((candidate % columns) - (square % columns));
    const distance = rows * rows + across * across;
    if (Math.max(rows, across) > reach || distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}
