import type { GessWeights } from './gess-terms.js';

/**
 * What the evaluation of Gess weighs its terms by; a stone is 100. Fitted to games by `gess tune`; docs/search.md
 * has the terms' reasons and the match that shows the gain.
 */
export const GESS_WEIGHTS: GessWeights = {
  stones: 100,
  longPieces: 8,
  longRays: -2,
  shortRays: 1,
  spareRing: 254,
  shield: -17,
  exposure: -2,
  escape: 10,
  advance: 2,
  attacked: -28,
  attacking: 54,
};
