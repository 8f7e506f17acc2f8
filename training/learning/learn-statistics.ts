import * as z from 'zod';
import { LearnerLosses } from './loss-means.js';
import { Validation } from './validation.js';

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** Steps, losses and speed of one call of `learn`. */
export const LearnStatistics = z.strictObject({
  /** Steps of this generation. */
  steps: count,
  /** Steps of the optimiser in the whole run. */
  optimizerSteps: count,
  samples: count,
  /** Means over all samples, each measured before it was learnt from. */
  training: LearnerLosses,
  /** Over held-back rows, after the last step, by the network for play; null without such rows. */
  validation: Validation.nullable(),
  /** The same by the weights without averaging; null without averaging. */
  validationOfLast: Validation.nullable(),
  /** Mean norm of the gradients before clipping. */
  gradientNorm: z.number().min(0),
  /** Share of the steps whose gradient was clipped. */
  clippedShare: share,
  /** Gradient noise scale in samples (gradient-noise.ts); null if it cannot be estimated. */
  gradientNoiseScale: z.number().min(0).nullable(),
  /**
   * Units that are 0 in 512 positions of the window after the last step, with and without averaging; null if the window
   * has fewer rows, or learning was stopped. Absent in records of version 1.0.0.
   */
  deadUnits: count.nullable().optional(),
  /** Learning rate of the last step; 0 without a step. */
  learningRate: z.number().min(0),
  samplesPerSecond: z.number().min(0),
  /** Share of the time spent on preparing batches. */
  preparationShare: z.number().min(0),
});
export type LearnStatistics = z.infer<typeof LearnStatistics>;

/** Time spent learning, in seconds; 0 if no speed was measured. */
export function learningSeconds({
  samples,
  samplesPerSecond,
}: Pick<LearnStatistics, 'samples' | 'samplesPerSecond'>): number {
  return samplesPerSecond > 0 ? samples / samplesPerSecond : 0;
}
