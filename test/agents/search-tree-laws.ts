import { PROVEN_LOSS, UNPROVEN } from '../../agents/mcts/proof.js';
import { NO_NODE, type SearchTree } from '../../agents/mcts/search-tree.js';

/**
 * The subtree of a node as text, independent of the numbering of nodes and edges.
 *
 * @param hasProofs whether it includes the proofs.
 */
export function dumpTree(tree: SearchTree, node = 0, hasProofs = true): string {
  if (node === NO_NODE || tree.nodeCount === 0) return '';
  const start = tree.edgeStart[node]!;
  const lines: string[] = [];
  for (let edge = start; edge < start + tree.edgeCount[node]!; edge++) {
    const { actions, visits, totalValue, priors, proofs } = tree;
    const numbers = [actions, visits, totalValue, priors, ...(hasProofs ? [proofs] : [])].map((a) => a[edge]);
    lines.push(`${numbers.join(' ')} (${dumpTree(tree, tree.children[edge], hasProofs)})`);
  }
  return lines.sort().join('; ');
}

/** Violated laws of a node's links. */
function linkFaults(tree: SearchTree, node: number): string[] {
  const edge = tree.parentEdge[node]!;
  const parent = tree.parentNode[node]!;
  const faults: string[] = [];
  if (tree.children[edge] !== node) faults.push(`edge ${edge} does not lead to node ${node}`);
  if (parent === NO_NODE) return faults;
  const start = tree.edgeStart[parent]!;
  if (parent >= node) faults.push(`node ${node} comes before its parent`);
  if (edge < start || edge >= start + tree.edgeCount[parent]!)
    faults.push(`edge ${edge} is not of ${parent}`);
  return faults;
}

/** Violated laws of a node's sums of priors; noise of the root changes them. */
function priorFaults(tree: SearchTree, node: number): string[] {
  const start = tree.edgeStart[node]!;
  let tried = 0;
  let lost = 0;
  for (let own = start; own < start + tree.edgeCount[node]!; own++) {
    if (own < start + tree.triedCount[node]!) tried += tree.priors[own]!;
    else if (tree.proofs[own] === PROVEN_LOSS) lost += tree.priors[own]!;
  }
  const faults: string[] = [];
  if (Math.abs(tree.triedPrior[node]! - tried) > 1e-6) faults.push(`node ${node} has another prior tried`);
  if (Math.abs(tree.lostPrior[node]! - lost) > 1e-6) faults.push(`node ${node} has another prior lost`);
  return faults;
}

/** Violated laws of a node's statistics. */
function sumFaults(tree: SearchTree, node: number, wasFull: boolean): string[] {
  const start = tree.edgeStart[node]!;
  const faults: string[] = [];
  let visits = 1;
  let totalValue = tree.rawValue[node]!;
  for (let own = start; own < start + tree.edgeCount[node]!; own++) {
    visits += tree.visits[own]!;
    totalValue += tree.totalValue[own]!;
    if (tree.virtualLosses[own] !== 0) faults.push(`edge ${own} has a virtual loss left`);
    if (Math.abs(tree.totalValue[own]!) > tree.visits[own]!) faults.push(`edge ${own} has a value beyond 1`);
    const isTried = own < start + tree.triedCount[node]!;
    if (!isTried && tree.visits[own] !== 0) faults.push(`edge ${own} has visits, but was never tried`);
  }
  // Visits after a proof end at the edge.
  const edge = tree.parentEdge[node]!;
  if (tree.proofs[edge] !== UNPROVEN) return faults;
  // In a full tree a position is evaluated on each visit, until there is room for a node.
  if (wasFull && tree.visits[edge]! > visits) return faults;
  if (tree.visits[edge] !== visits)
    faults.push(`node ${node} has ${tree.visits[edge]} visits, not ${visits}`);
  // A win for the mover here is a loss for the mover before.
  if (Math.abs(tree.totalValue[edge]! + totalValue) > 1e-4) faults.push(`node ${node} has another's values`);
  return faults;
}

/**
 * Violated laws of a tree in which no simulation is pending; empty for a sound tree.
 *
 * @param wasFull whether the tree has ever been full.
 */
export function treeFaults(tree: SearchTree, wasFull = false): readonly string[] {
  const faults: string[] = [];
  if (tree.virtualLosses[0] !== 0) faults.push('the root has a virtual loss left');
  for (let node = 0; node < tree.nodeCount; node++) {
    faults.push(...linkFaults(tree, node), ...priorFaults(tree, node), ...sumFaults(tree, node, wasFull));
  }
  return faults;
}
