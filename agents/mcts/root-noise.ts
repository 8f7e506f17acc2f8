import type { Rng } from '../../env/random.js';
import { drawDirichlet } from './dirichlet.js';
import { PROVEN_LOSS } from './proof.js';
import { ROOT, type SearchTree } from './search-tree.js';

/** Dirichlet noise on the root's priors, for self-play. */
export interface RootNoise {
  /** Alpha is this divided by the number of legal actions. */
  readonly dirichletScale: number;
  /** Weight of the noise in [0, 1]; the rest is the prior. */
  readonly fraction: number;
}

/**
 * Mixes noise into the priors of an expanded root.
 *
 * @param scratch `[L]`.
 * @see Silver et al. 2017, "Mastering the game of Go without human knowledge", Methods.
 */
export function addRootNoise(tree: SearchTree, noise: RootNoise, scratch: Float64Array, rng: Rng): void {
  const start = tree.edgeStart[ROOT]!;
  const count = tree.edgeCount[ROOT]!;
  drawDirichlet(noise.dirichletScale / count, count, scratch, rng);
  tree.triedPrior[ROOT] = 0;
  tree.lostPrior[ROOT] = 0;
  for (let i = 0; i < count; i++) {
    const edge = start + i;
    tree.priors[edge] = (1 - noise.fraction) * tree.priors[edge]! + noise.fraction * scratch[i]!;
    if (i < tree.triedCount[ROOT]!) tree.triedPrior[ROOT] += tree.priors[edge];
    else if (tree.proofs[edge] === PROVEN_LOSS) tree.lostPrior[ROOT] += tree.priors[edge];
  }
  tree.bringForward(ROOT);
}
