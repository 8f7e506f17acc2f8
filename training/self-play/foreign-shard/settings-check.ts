import type { ShardColumns } from '../../../data/shards/shard-columns.js';
import type { GameStatistics } from '../self-play-statistics.js';
import type { GameSource } from '../shard-job.js';

/** Sizes of the searches that rows of the job can have; 0: without a search. */
function searchSizes(source: GameSource): ReadonlySet<number> {
  if (source.kind === 'agent') return new Set([0]);
  const { search, cheapSimulations, teacher } = source.config;
  return new Set([search.simulations, cheapSimulations, ...(teacher === undefined ? [] : [0])]);
}

/** Describes the first ply that is missing although no move of the job is random; null if there is none. */
function missingPly({ plies }: ShardColumns, source: GameSource, start: number, end: number): string | null {
  const { randomPlies, randomMoveShare = 0 } = source.config;
  // Random moves have rows in a warm start, but none in self-play.
  if (source.kind === 'network' && randomMoveShare > 0) return null;
  if (plies[start]! > randomPlies) return `ply ${plies[start]} in its first row`;
  for (let row = start + 1; row < end; row++) {
    if (plies[row] !== plies[row - 1]! + 1) return `no ply ${plies[row - 1]! + 1}`;
  }
  return null;
}

/**
 * Describes the first way in which a game contradicts the settings of its job; null if there is none.
 *
 * @param range first row and end of the rows of the game.
 */
export function settingsProblem(
  columns: ShardColumns,
  [start, end]: readonly [number, number],
  { adjudicated, resigned, playedOn }: GameStatistics,
  source: GameSource,
): string | null {
  if (adjudicated > 0 && source.config.quietPlies === 0) return 'an end by adjudication';
  const canResign = source.kind === 'network' && source.config.resignValue > -1;
  if (resigned + playedOn > 0 && !canResign) return 'a resignation';
  if (start === end) return null;
  const sizes = searchSizes(source);
  for (let row = start; row < end; row++) {
    const [weight, size] = [columns.policyWeights[row]!, columns.searchSizes[row]!];
    if (weight !== 0 && weight !== 1) return `a policy of weight ${weight}`;
    if (!sizes.has(size)) return `a search of ${size} simulations`;
  }
  return missingPly(columns, source, start, end);
}
