import type { SearchedMove } from '../../../agents/thinking/best-replies.js';
import type { Candidate } from '../../../agents/thinking/thinking.js';
import type { Game } from '../../../env/game.js';
import { alignTable } from '../../text/columns.js';
import { formatValue } from './analysis-words.js';

/** The facts about a move in a row of the tree. */
type TreeMove = Omit<SearchedMove, 'value' | 'replies'> & {
  readonly value?: number | undefined;
  readonly replies?: readonly SearchedMove[] | undefined;
};

function rowsOf(game: Game<unknown>, move: TreeMove, depth: number): readonly (readonly string[])[] {
  const { action, visits, value, replies = [] } = move;
  const row = ['  '.repeat(depth) + game.formatAction(action), String(visits), formatValue(value)];
  return [row, ...replies.flatMap((reply) => rowsOf(game, reply, depth + 1))];
}

/** The moves of a search and their replies for people: a line a move, indented by its ply. */
export function describeTree(game: Game<unknown>, candidates: readonly Candidate[]): string {
  const rows = candidates.flatMap((candidate) =>
    rowsOf(game, { ...candidate, visits: candidate.visits ?? 0 }, 0),
  );
  return alignTable([['move', 'visits', 'value to its player'], ...rows]);
}
