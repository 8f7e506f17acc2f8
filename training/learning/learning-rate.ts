import type { LearnerConfig } from '../config/learner-config.js';

/** How far learning has come when a step is taken. */
export interface LearningProgress {
  /** Steps of the optimiser before it, over all generations. */
  readonly optimizerStep: number;
  /** Share of the generation's steps that are done, in [0, 1]. */
  readonly share: number;
}

/**
 * Share of the learning rate when `progress`, in [0, 1], of the steps are done: from 1 along half a cosine to
 * `last`.
 *
 * @see Loshchilov and Hutter 2017, "SGDR: Stochastic Gradient Descent with Warm Restarts", formula 5.
 */
export function rateShare(progress: number, last: number): number {
  return last + ((1 - last) * (1 + Math.cos(Math.PI * progress))) / 2;
}

/**
 * The learning rate of a step: `learningRate` times what warm-up, drops and the generation's cosine leave of it.
 * Warm-up rises linearly from `1 / warmUpSteps` and is over after as many steps of the optimiser.
 */
export function learningRateAt(
  config: Pick<LearnerConfig, 'learningRate' | 'finalRateShare' | 'warmUpSteps' | 'rateDrops'>,
  { optimizerStep, share }: LearningProgress,
): number {
  const { learningRate, finalRateShare, warmUpSteps, rateDrops } = config;
  const ofWarmUp = optimizerStep < warmUpSteps ? (optimizerStep + 1) / warmUpSteps : 1;
  let ofDrops = 1;
  for (const drop of rateDrops) if (optimizerStep >= drop.step) ofDrops *= drop.factor;
  return learningRate * ofWarmUp * ofDrops * rateShare(share, finalRateShare);
}
