import type { GessWeights } from './gess-terms.js';

/**
 * Weights of the terms of the evaluation of Gess; a stone is 100. Fitted to games by `gess tune`;
 * docs/explanation/search.md has the reasons for the terms and the match that shows the gain.
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

/** Guesses from before the weights were fitted: the baseline for measuring the gain. */
const GUESSED_GESS_WEIGHTS: GessWeights = {
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

/** Weights of the evaluation of Gess by name, the default first. */
export const NAMED_GESS_WEIGHTS = { fitted: GESS_WEIGHTS, guessed: GUESSED_GESS_WEIGHTS } as const;

/** The name of a set of weights. */
export type WeightsName = keyof typeof NAMED_GESS_WEIGHTS;
