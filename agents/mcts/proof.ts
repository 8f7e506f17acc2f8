import type { Outcome } from '../../env/game.js';

/** A proven result of an edge, to the mover at its parent. */
export type Proof = typeof UNPROVEN | typeof PROVEN_LOSS | typeof PROVEN_DRAW | typeof PROVEN_WIN;
/** Nothing is proven. */
export const UNPROVEN = 0;
/** The mover loses by this edge. */
export const PROVEN_LOSS = 1;
/** It leads to a draw. */
export const PROVEN_DRAW = 2;
/** The mover wins by this edge. */
export const PROVEN_WIN = 3;

/** The proof of a result to the mover: 1 won, 0 drawn, -1 lost. */
export function proofOf(result: Outcome): Proof {
  return (PROVEN_DRAW + result) as Proof;
}

/** The value that a proof means to the mover, the inverse of `proofOf`: 1 won, 0 drawn, -1 lost. */
export function valueOfProof(proof: number): number {
  return proof - PROVEN_DRAW;
}

/** The same result, to the other player. */
export function reverseProof(proof: Proof): Proof {
  return proof === UNPROVEN ? UNPROVEN : ((PROVEN_WIN + PROVEN_LOSS - proof) as Proof);
}

/**
 * Whether an edge may be played at a node: a proven win excludes all others, and a proven loss is excluded unless all
 * edges are.
 *
 * @param node what is proven of the node, to its mover.
 */
export function isPlayable(edge: Proof, node: Proof): boolean {
  if (node === PROVEN_WIN) return edge === PROVEN_WIN;
  return node === PROVEN_LOSS || edge !== PROVEN_LOSS;
}
