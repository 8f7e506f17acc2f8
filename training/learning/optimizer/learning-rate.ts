import type { LearnerConfig } from '../../config/groups/learner-config.js';

/** Progress of learning before a step. */
export interface LearningProgress {
  /** Steps of the optimiser so far, over all generations. */
  readonly optimizerStep: number;
  /** Share of the generation's steps that are done, in [0, 1]. */
  readonly share: number;
}

/**
 * Factor of the learning rate after the share `progress`, in [0, 1], of the steps. It falls from 1 to `last` along half
 * a cosine.
 *
 * @see Loshchilov and Hutter 2017, "SGDR: Stochastic Gradient Descent with Warm Restarts", formula 5.
 */
export function rateShare(progress: number, last: number): number {
  return last + ((1 - last) * (1 + Math.cos(Math.PI * progress))) / 2;
}

/**
 * The learning rate of a step: `learningRate` times the factors of warm-up, drops and the generation's cosine.
 * The factor of warm-up rises linearly from `1 / warmUpSteps` to 1 over that many steps of the optimiser.
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
