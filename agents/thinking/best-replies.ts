import type { Action } from '../../env/game.js';
import { bestEdge, edgeOfAction } from '../mcts/best-edge.js';
import { UNPROVEN, valueOfProof } from '../mcts/proof.js';
import { NO_NODE, ROOT, type SearchTree } from '../mcts/search-tree.js';

/** A move of a search's tree, and the moves that the search looked at most after it. */
export interface SearchedMove {
  readonly action: Action;
  /** Simulations that passed through the move. */
  readonly visits: number;
  /** In [-1, 1] to the player who makes the move; exact where the search has proven it. */
  readonly value: number;
  /** The best first; empty at the end of the tree. */
  readonly replies: readonly SearchedMove[];
}

/** Size of the part of a tree that is read. */
export interface RepliesLimit {
  /** Moves at each node, at least 1. */
  readonly count: number;
  /** Moves from the node to the end of each branch; 0: none. */
  readonly plies: number;
}

/** The moves that the search looked at most after `action`, a legal one at the root. For display, not for hot paths. */
export function repliesTo(tree: SearchTree, action: Action, limit: RepliesLimit): readonly SearchedMove[] {
  return bestReplies(tree, tree.children[edgeOfAction(tree, ROOT, action)]!, limit);
}

/**
 * The moves to play at `node`, the one that the search would play first, the others by visits. Of the unvisited moves
 * only one to play first, a proven win, is among them.
 *
 * @param node `NO_NODE` for an edge without one.
 */
function bestReplies(tree: SearchTree, node: number, limit: RepliesLimit): readonly SearchedMove[] {
  const { count, plies } = limit;
  if (node === NO_NODE || plies === 0) return [];
  const start = tree.edgeStart[node]!;
  const best = bestEdge(tree, node);
  const rank = (edge: number): number => (edge === best ? Infinity : tree.visits[edge]!);
  return Array.from({ length: tree.edgeCount[node]! }, (_, index) => start + index)
    .filter((edge) => tree.visits[edge]! > 0 || edge === best)
    .sort((one, other) => rank(other) - rank(one) || one - other)
    .slice(0, count)
    .map((edge) => ({
      action: tree.actions[edge]!,
      visits: tree.visits[edge]!,
      value: valueOf(tree, edge),
      replies: bestReplies(tree, tree.children[edge]!, { count, plies: plies - 1 }),
    }));
}

function valueOf(tree: SearchTree, edge: number): number {
  const proof = tree.proofs[edge]!;
  return proof === UNPROVEN ? tree.totalValue[edge]! / tree.visits[edge]! : valueOfProof(proof);
}
