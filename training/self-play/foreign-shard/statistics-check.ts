import { sampleOf, type ShardColumns } from '../../../data/shards/shard-columns.js';
import { isLearnt, outcomeOf } from '../../../data/shards/sample.js';
import type { Game } from '../../../env/game.js';
import type { GameStatistics } from '../self-play-statistics.js';

/** Most evaluations of one game: a million in each of a thousand moves. Sums over millions of games stay exact. */
export const MAX_GAME_EVALUATIONS = 1e9;

/** Describes a contradiction between one game's rows and its statistics; null if there is none. */
export function statisticsProblem(
  game: Game<unknown>,
  columns: ShardColumns,
  range: readonly [number, number],
  counts: GameStatistics,
): string | null {
  const [start, end] = range;
  let learnt = 0;
  for (let row = start; row < end; row++) {
    if (isLearnt({ policyWeight: columns.policyWeights[row]!, searchSize: columns.searchSizes[row]! }))
      learnt += 1;
  }
  if (counts.games !== 1) return `statistics of ${counts.games} games instead of 1`;
  if (counts.positions !== end - start)
    return `${counts.positions} positions in its statistics and ${end - start} rows`;
  if (counts.learntPositions !== learnt)
    return `${counts.learntPositions} positions to learn from in its statistics and ${learnt} such rows`;
  if (counts.wins + counts.draws + counts.losses + counts.truncated !== 1)
    return 'statistics without exactly one result';
  const { plies, shortestPlies, longestPlies } = counts;
  if (plies !== shortestPlies || plies !== longestPlies || plies > game.plyLimit)
    return `statistics of ${plies}, ${shortestPlies} and ${longestPlies} plies`;
  const problem = flagsProblem(counts);
  if (problem !== null || start === end) return problem;
  const length = columns.plies[start]! + columns.pliesLeft[start]!;
  if (plies !== length) {
    return `${plies} plies in its statistics and ${length} in its rows`;
  }
  return resultProblem(game, columns, end - 1, counts);
}

/** Describes statistics that no single game has, whatever its rows; null if there are none. */
function flagsProblem(counts: GameStatistics): string | null {
  const { adjudicated, resigned, playedOn, loserLows, survivorLows, evaluations } = counts;
  if (Math.max(adjudicated, resigned, playedOn) > 1 || resigned + playedOn > 1)
    return 'statistics that count its end more than once';
  const sum = (lows: readonly number[]): number => lows.reduce((total, low) => total + low, 0);
  if (Math.max(sum(loserLows), sum(survivorLows)) > playedOn)
    return 'statistics with more lowest values than games played on';
  return evaluations > MAX_GAME_EVALUATIONS ? `${evaluations} evaluations` : null;
}

/**
 * Describes a contradiction between a game's result in its last row, its statistics and its final position. A player
 * who resigns after a random move leaves no row with the result.
 */
function resultProblem(
  game: Game<unknown>,
  columns: ShardColumns,
  row: number,
  counts: GameStatistics,
): string | null {
  const outcome = outcomeOf(sampleOf(columns, row));
  const counted = counts.truncated === 1 ? null : counts.wins - counts.losses;
  if (outcome === null && counts.resigned === 1) return null;
  if (outcome !== counted)
    return `the result ${String(counted)} in its statistics and ${String(outcome)} in its rows`;
  if (counts.resigned + counts.adjudicated > 0) return null;
  const state = game.initialState();
  game.unpack(columns.finalPositions, row * columns.positionSize, state);
  const found = game.outcome(state);
  if (found !== outcome)
    return `the result ${String(outcome)} and a final position with the result ${String(found)}`;
  if (found === null && game.ply(state) < game.plyLimit)
    return 'a final position in which the game is not over';
  return null;
}
