import {
  PROVEN_DRAW,
  PROVEN_LOSS,
  PROVEN_WIN,
  type Proof,
  reverseProof,
  UNPROVEN,
  valueOfProof,
} from './proof.js';
import { ROOT_EDGE, type SearchTree } from './search-tree.js';

/**
 * Ends a simulation at `edge` of `node`: adds a visit and the value, and removes a virtual loss, on each edge up to the
 * root. From a proven edge on, its true value is backed up instead.
 *
 * @param value of the simulation, to the mover at `node`.
 */
export function backUp(tree: SearchTree, node: number, edge: number, value: number): void {
  const { visits, totalValue, virtualLosses, proofs, parentEdge, parentNode } = tree;
  let owner = node;
  let current = edge;
  let signed = value;
  for (;;) {
    if (proofs[current] !== UNPROVEN) signed = valueOfProof(proofs[current]!);
    visits[current]! += 1;
    virtualLosses[current]! -= 1;
    totalValue[current]! += signed;
    if (current === ROOT_EDGE) return;
    current = parentEdge[owner]!;
    owner = parentNode[owner]!;
    signed = -signed;
  }
}

/** Best proof among the edges of a node all of whose edges are proven. */
function bestProof(tree: SearchTree, node: number): Proof {
  const start = tree.edgeStart[node]!;
  const end = start + tree.edgeCount[node]!;
  for (let edge = start; edge < end; edge++) {
    if (tree.proofs[edge] === PROVEN_DRAW) return PROVEN_DRAW;
  }
  return PROVEN_LOSS;
}

/**
 * Records a proof of `edge` of `node`, to the mover there, and the proofs that follow above: a node with a won edge is
 * won, a node with only proven edges has the best of them.
 *
 * @see Winands, Björnsson, Saito 2008, "Monte-Carlo Tree Search Solver".
 */
export function prove(tree: SearchTree, node: number, edge: number, proof: Proof): void {
  let owner = node;
  let current = edge;
  let known = proof;
  const isUntried = edge >= tree.edgeStart[node]! + tree.triedCount[node]!;
  if (isUntried && proof === PROVEN_LOSS && tree.proofs[edge] === UNPROVEN) {
    tree.lostPrior[node]! += tree.priors[edge]!;
  }
  while (tree.proofs[current] === UNPROVEN) {
    tree.proofs[current] = known;
    if (current === ROOT_EDGE) return;
    tree.unprovenCount[owner]! -= 1;
    let result: Proof;
    if (known === PROVEN_WIN) result = PROVEN_WIN;
    else if (tree.unprovenCount[owner] === 0) result = bestProof(tree, owner);
    else return;
    current = tree.parentEdge[owner]!;
    owner = tree.parentNode[owner]!;
    known = reverseProof(result);
  }
}
