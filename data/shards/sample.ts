import type { Outcome } from '../../env/game.js';
import type { ShardColumn, ValueOfColumn } from './column-table.js';

/**
 * One position of one game: a row of a shard. The fields are the columns of `SHARD_COLUMNS`, by name: packed positions
 * as `Uint8Array`, actions as `Uint16Array`, the policy as `Float32Array`, all others as numbers; nullable ones may be
 * null. Values are to the player to move.
 */
export type Sample = { readonly [C in ShardColumn as C['name']]: ValueOfColumn<C> };

/** The result of a row's game to player 0; null for a game without one. */
export function outcomeOf({ result, player }: Pick<Sample, 'result' | 'player'>): Outcome | null {
  return result === null || player === 0 ? result : (-result as Outcome);
}

/**
 * Whether rows with this policy weight and search size are sampled for learning: all but those of cheap searches and of
 * adjudicated ends of games, which are searched but have no weight.
 *
 * @see Wu 2019, "Accelerating self-play learning in Go", section 3.1: cheap searches are not training data.
 */
export function isLearnt({ policyWeight, searchSize }: Pick<Sample, 'policyWeight' | 'searchSize'>): boolean {
  return policyWeight > 0 || searchSize === 0;
}
