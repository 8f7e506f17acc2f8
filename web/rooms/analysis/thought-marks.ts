import type { Table } from '../../board/rules/board-rules.js';
import type { AnalysisMarks, Arrow } from '../../board/marks.js';
import type { EngineThought } from '../../engine/messages.js';

/** Arrows of the best moves, with strengths by their visits, or else by their rank. */
export function arrowsOf({ board }: Table, state: unknown, { candidates }: EngineThought): readonly Arrow[] {
  const most = Math.max(1, ...candidates.map(({ visits }) => visits ?? 0));
  return candidates
    .map(({ action, visits }, index) => ({
      start: board.startOf(action),
      end: board.endOf(state, action),
      weight: index === 0 ? 1 : visits === undefined ? 0.5 / index : (0.9 * visits) / most,
    }))
    .filter((arrow): arrow is Arrow => arrow.start !== null && arrow.weight > 0.04)
    .reverse();
}

/** The warmth of squares by the priors of moves: of their starts, or of the ends of the chosen piece's moves. */
export function heatOf(
  { board }: Table,
  state: unknown,
  { priors = [] }: EngineThought,
  chosen: number | null,
): AnalysisMarks['heat'] {
  const heat = new Map<number, number>();
  for (const { action, prior } of priors) {
    const start = board.startOf(action);
    if (chosen !== null && start !== chosen) continue;
    const square = chosen === null && start !== null ? start : board.endOf(state, action);
    heat.set(square, (heat.get(square) ?? 0) + prior);
  }
  const most = Math.max(0, ...heat.values());
  return new Map(Array.from(heat).flatMap(([square, sum]) => (sum < 0.01 ? [] : [[square, sum / most]])));
}
