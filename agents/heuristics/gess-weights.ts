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

/** The weights before any were fitted, guessed: what a gain of others is measured against. */
export const GUESSED_GESS_WEIGHTS: GessWeights = {
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
