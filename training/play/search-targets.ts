import type { RootStatistics } from '../../agents/mcts/root-statistics.js';
import type { Search } from '../../agents/mcts/search.js';

/** Lower limit of priors, for logarithms. */
const LEAST_PRIOR = 1e-6;

/** The part of a `Search` that provides its targets. */
export type TargetSearch = Pick<
  Search<never>,
  'readRoot' | 'writePolicy' | 'valueToLearn' | 'simulationLimit'
>;

/** The targets from a finished search of a position. `L` is the number of legal actions. */
export interface SearchTargets {
  /** `[L]` all legal actions, ascending. */
  readonly actions: Uint16Array;
  /** `[L]` sums to 1. */
  readonly policy: Float32Array;
  /** In [-1, 1] to the player to move. */
  readonly rootValue: number;
  readonly searchSize: number;
  /** Kullback-Leibler divergence of `policy` from the priors at the root (noise included), in nats, at least 0. */
  readonly surprise: number;
}

function divergence(policy: Float32Array, { count, priors }: RootStatistics): number {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    if (policy[i]! > 0) sum += policy[i]! * Math.log(policy[i]! / Math.max(priors[i]!, LEAST_PRIOR));
  }
  // Rounding can make the sum slightly negative.
  return Math.max(0, sum);
}

/**
 * Reads the targets of a finished search, and its root.
 *
 * @param policy `[maxLegalActions]` receives the policy of the search, in the order of `search.root`.
 */
export function readTargets(search: TargetSearch, policy: Float32Array): SearchTargets {
  const root = search.readRoot();
  search.writePolicy(policy);
  return {
    actions: Uint16Array.from(root.actions.subarray(0, root.count)),
    policy: policy.slice(0, root.count),
    rootValue: search.valueToLearn(policy),
    searchSize: search.simulationLimit,
    surprise: divergence(policy, root),
  };
}
