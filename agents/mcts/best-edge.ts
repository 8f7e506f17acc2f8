import type { Action } from '../../env/game.js';
import { PROVEN_LOSS, PROVEN_WIN } from './proof.js';
import type { SearchTree } from './search-tree.js';

/** Stands for a missing edge. */
export const NO_EDGE = -1;

/**
 * The edge to play at `node`: a proven win, else the most visited edge that is not a proven loss, else the most
 * visited. Ties go to the higher value, then to the first.
 *
 * @returns an edge index, or `NO_EDGE` when none was visited and none is won.
 */
export function bestEdge(tree: SearchTree, node: number): number {
  const start = tree.edgeStart[node]!;
  const end = start + tree.edgeCount[node]!;
  let best = NO_EDGE;
  let bestRank = 0;
  for (let edge = start; edge < end; edge++) {
    const visits = tree.visits[edge]!;
    const proof = tree.proofs[edge];
    if (visits === 0 && proof !== PROVEN_WIN) continue;
    // The value weighs less than one visit. A loss ranks in (0, 1), a win above 1e12.
    let rank = visits + (0.49 * tree.totalValue[edge]!) / Math.max(1, visits);
    if (proof === PROVEN_WIN) rank += 1e12;
    else if (proof === PROVEN_LOSS) rank /= 1e12;
    if (rank > bestRank) {
      bestRank = rank;
      best = edge;
    }
  }
  return best;
}

/** The edge of `action` at `node`, or `NO_EDGE`. */
export function edgeOfAction(tree: SearchTree, node: number, action: Action): number {
  const start = tree.edgeStart[node]!;
  const index = tree.actions.subarray(start, start + tree.edgeCount[node]!).indexOf(action);
  return index < 0 ? NO_EDGE : start + index;
}
