import { PROVEN_LOSS, UNPROVEN, valueOfProof } from '../proof.js';
import type { SearchTree } from '../search-tree.js';
import type { GumbelSearchConfig } from '../../search-config.js';

/** Lower bound of priors, whose logarithm is finite. */
const LEAST_PRIOR = 1e-38;
/** Lower bound of the range of values by which they are scaled. */
const LEAST_SPREAD = 1e-8;

/**
 * The values of a node's actions to its mover, as selection by the improved policy uses them, with one value for all
 * actions without a visit. Proven losses count as illegal, unless all moves are.
 *
 * A pending visit counts as a visit in `countSum`, but has no value before it ends.
 *
 * @see Danihelka et al. 2022, "Policy improvement by planning with Gumbel", appendix D (mixed value),
 *   equation 8 (sigma), as in `qtransform_completed_by_mix_value` of the package mctx.
 */
export class CompletedValues {
  /** Value of an action without a visit: the node's own evaluation mixed with its visited actions'. */
  mixedValue = 0;
  /** Greatest of all completed values. */
  greatest = 0;
  /** `sigma(q)` is `factor * (q - least)`; differences between actions need `factor` alone. */
  factor = 0;
  /** Whether a move that was never selected is no proven loss. */
  hasUntried = false;
  /** Visits of all actions, pending ones included. */
  countSum = 0;
  private least = 0;
  private readonly config: GumbelSearchConfig;

  constructor(config: GumbelSearchConfig) {
    this.config = config;
  }

  /** Reads the values of `node`, which is expanded. */
  read(tree: SearchTree, node: number): void {
    const { priors, visits, virtualLosses, totalValue, proofs } = tree;
    const start = tree.edgeStart[node]!;
    const tried = start + tree.triedCount[node]!;
    const end = start + tree.edgeCount[node]!;
    let untried = tried;
    while (untried < end && proofs[untried] === PROVEN_LOSS) untried++;
    this.hasUntried = untried < end;
    let isOpen = this.hasUntried;
    let countSum = 0;
    let visitSum = 0;
    let mostVisits = 0;
    let weight = 0;
    let weightedValue = 0;
    let least = Infinity;
    let greatest = -Infinity;
    for (let edge = start; edge < tried; edge++) {
      const proof = proofs[edge]!;
      if (proof === PROVEN_LOSS) continue;
      const count = visits[edge]!;
      countSum += count + virtualLosses[edge]!;
      if (count === 0 && proof === UNPROVEN) {
        isOpen = true;
        continue;
      }
      const value = proof === UNPROVEN ? totalValue[edge]! / count : valueOfProof(proof);
      const prior = Math.max(priors[edge]!, LEAST_PRIOR);
      visitSum += count;
      weight += prior;
      weightedValue += prior * value;
      if (count > mostVisits) mostVisits = count;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    const visitedValue = weight > 0 ? weightedValue / weight : 0;
    this.mixedValue = (tree.rawValue[node]! + visitSum * visitedValue) / (1 + visitSum);
    this.countSum = countSum;
    this.least = isOpen ? Math.min(least, this.mixedValue) : least;
    this.greatest = isOpen ? Math.max(greatest, this.mixedValue) : greatest;
    const scale = (this.config.maxVisitInit + mostVisits) * this.config.valueScale;
    const spread = this.config.rescaleValues ? Math.max(this.greatest - this.least, LEAST_SPREAD) : 1;
    this.factor = scale / spread;
  }

  /** The completed value of `edge` of the node that was read last, in [-1, 1]; -1 for a proven loss. */
  valueOf(tree: SearchTree, edge: number): number {
    const proof = tree.proofs[edge]!;
    if (proof !== UNPROVEN) return valueOfProof(proof);
    const count = tree.visits[edge]!;
    return count === 0 ? this.mixedValue : tree.totalValue[edge]! / count;
  }

  /** The term that `edge`'s value adds to its logit, `sigma(q)`; at least 0 for edges that are not proven. */
  sigmaOf(tree: SearchTree, edge: number): number {
    return this.factor * (this.valueOf(tree, edge) - this.least);
  }
}

/** The logarithm of a prior; finite. */
export function logitOf(prior: number): number {
  return Math.log(Math.max(prior, LEAST_PRIOR));
}
