import { NO_EDGE } from './best-edge.js';
import type { PuctSearchConfig } from '../search-config.js';
import { PROVEN_LOSS, UNPROVEN, valueOfProof } from './proof.js';
import { ROOT, type SearchTree } from './search-tree.js';

/**
 * Picks the edge of an expanded node with the highest PUCT score, `Q + c * P * sqrt(N(s)) / (1 + N)`, where `N(s)`
 * counts the visits of the node itself. An edge that was never selected has
 * the node's own Q, below the root less `firstPlayReduction * sqrt(prior mass tried so far)`; each pending simulation
 * counts as a lost visit; a proven loss is only selected if nothing else is left. Ties go to the first edge, so a
 * search is reproducible.
 *
 * @returns an edge index (not an action), or `NO_EDGE` when all edges are proven losses.
 * @see Silver et al. 2017, "Mastering the game of Go without human knowledge", Methods; first-play urgency
 *   as in Wu 2019, "Accelerating self-play learning in Go", section 2.
 */
export function selectEdge(tree: SearchTree, node: number, config: PuctSearchConfig): number {
  const { priors, visits, totalValue, virtualLosses, proofs } = tree;
  const parentEdge = tree.parentEdge[node]!;
  // Without the current simulation.
  const nodeVisits = visits[parentEdge]! + virtualLosses[parentEdge]! - 1;
  const factor = config.exploration * Math.sqrt(nodeVisits);
  const start = tree.edgeStart[node]!;
  const tried = start + tree.triedCount[node]!;
  let best = NO_EDGE;
  let bestScore = -Infinity;
  for (let edge = start; edge < tried; edge++) {
    const proof = proofs[edge]!;
    if (proof === PROVEN_LOSS) continue;
    const losses = virtualLosses[edge]!;
    const count = visits[edge]! + losses;
    const qValue = proof === UNPROVEN ? (totalValue[edge]! - losses) / count : valueOfProof(proof);
    const score = qValue + (factor * priors[edge]!) / (1 + count);
    if (score > bestScore) {
      bestScore = score;
      best = edge;
    }
  }
  if (tried < start + tree.edgeCount[node]! && proofs[tried] !== PROVEN_LOSS) {
    const nodeValue = -totalValue[parentEdge]! / Math.max(1, visits[parentEdge]!);
    // With hundreds of moves and an even prior, a reduction at the root would leave most of them unvisited.
    const reduction = node === ROOT ? 0 : config.firstPlayReduction * Math.sqrt(tree.triedPrior[node]!);
    const urgency = nodeValue - reduction;
    if (urgency + factor * priors[tried]! > bestScore) best = tried;
  }
  return best;
}

/** Records that `edge` of `node` is selected, possibly for the first time, and adds a virtual loss to it. */
export function enterEdge(tree: SearchTree, node: number, edge: number): void {
  const { priors, proofs } = tree;
  tree.virtualLosses[edge]! += 1;
  if (edge !== tree.edgeStart[node]! + tree.triedCount[node]!) return;
  tree.triedCount[node]! += 1;
  tree.triedPrior[node]! += priors[edge]!;
  // No prior behind `edge` is greater than its own, so an equal one needs no search.
  const isNextEqual = tree.triedCount[node]! < tree.edgeCount[node]! && priors[edge + 1] === priors[edge];
  if (!isNextEqual || proofs[edge + 1] === PROVEN_LOSS) tree.bringForward(node);
}
