import type { RootStatistics } from '../../agents/mcts/root-statistics.js';
import type { Action } from '../../env/game.js';

/**
 * The move that a search with a Gumbel root suggests without its noise: the action with the highest `policy` among
 * those with at least half as many visits as the most visited one. Values from fewer visits are too uncertain. Actions
 * without policy do not count: their loss is proven, or a win of another action.
 *
 * @param root just read.
 * @param policy `[count]` as written by `Search.writePolicy`.
 */
export function noiselessMove({ count, visits, actions }: RootStatistics, policy: Float32Array): Action {
  let mostVisits = 0;
  for (let i = 0; i < count; i++) if (policy[i]! > 0) mostVisits = Math.max(mostVisits, visits[i]!);
  let best = -1;
  for (let i = 0; i < count; i++) {
    const isCandidate = policy[i]! > 0 && 2 * visits[i]! >= mostVisits;
    if (isCandidate && (best === -1 || policy[i]! > policy[best]!)) best = i;
  }
  return actions[best]!;
}
