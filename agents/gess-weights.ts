import type { GessWeights } from './gess-terms.js';

/** What the evaluation of Gess weighs its terms by; a stone is 100 (docs/search.md has the reasons). */
export const GESS_WEIGHTS: GessWeights = {
  stones: 100,
  longPieces: 8,
  longRays: 3,
  shortRays: 1,
  spareRing: 250,
  shield: 12,
  exposure: -4,
  escape: 2,
  advance: 2,
  attacked: -250,
  attacking: 60,
};
