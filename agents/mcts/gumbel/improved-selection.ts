import { NO_EDGE } from '../best-edge.js';
import type { GumbelSearchConfig } from '../../search-config.js';
import { CompletedValues } from './completed-values.js';
import { PROVEN_LOSS } from '../proof.js';
import type { SearchTree } from '../search-tree.js';

/** Selects actions below the root so that visits follow the improved policy. */
export class ImprovedSelection {
  private readonly values: CompletedValues;
  /** `[L]` scratch: unnormalised improved policy of the tried edges. */
  private readonly weights: Float64Array;

  constructor(config: GumbelSearchConfig, maxActions: number) {
    this.values = new CompletedValues(config);
    this.weights = new Float64Array(maxActions);
  }

  /**
   * Picks the edge of an expanded node with the greatest `policy(a) - N(a) / (1 + sum of N)`, where `policy` is the
   * improved one, `softmax(logits + sigma(completed q))`. Reads the tried edges and the first of the
   * others, which has the greatest prior: these share one value. Ties go to the first edge.
   *
   * @returns an edge index (not an action), or `NO_EDGE` when all edges are proven losses.
   * @see Danihelka et al. 2022, section 5.
   */
  selectEdge(tree: SearchTree, node: number): number {
    const { values, weights } = this;
    const { priors, visits, virtualLosses, proofs } = tree;
    values.read(tree, node);
    const { factor, greatest } = values;
    const start = tree.edgeStart[node]!;
    const tried = start + tree.triedCount[node]!;
    const openPower = values.hasUntried ? Math.exp(factor * (values.mixedValue - greatest)) : 0;
    const openPrior = 1 - tree.triedPrior[node]! - tree.lostPrior[node]!;
    let sum = Math.max(0, openPrior) * openPower;
    for (let edge = start; edge < tried; edge++) {
      if (proofs[edge] === PROVEN_LOSS) continue;
      const weight = priors[edge]! * Math.exp(factor * (values.valueOf(tree, edge) - greatest));
      weights[edge - start] = weight;
      sum += weight;
    }
    // All scores are multiplied by `sum`, which preserves their order.
    const visitWeight = sum / (1 + values.countSum);
    let best = NO_EDGE;
    let bestScore = -Infinity;
    for (let edge = start; edge < tried; edge++) {
      if (proofs[edge] === PROVEN_LOSS) continue;
      const score = weights[edge - start]! - visitWeight * (visits[edge]! + virtualLosses[edge]!);
      if (score > bestScore) {
        bestScore = score;
        best = edge;
      }
    }
    return values.hasUntried && priors[tried]! * openPower > bestScore ? tried : best;
  }
}
