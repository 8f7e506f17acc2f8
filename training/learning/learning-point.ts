import * as z from 'zod';
import { LearnerLosses } from './loss-means.js';

/** Steps of the optimiser between two points. */
export const STEPS_A_POINT = 50;

/** Losses and speed of the last steps of the optimiser, at most `STEPS_A_POINT`. */
export const LearningPoint = z.strictObject({
  /** Steps of the optimiser since the run began. */
  step: z.int().min(0),
  /** Seconds since 1970. */
  time: z.number().min(0),
  /** Means over these steps, measured before each was learnt from. */
  losses: LearnerLosses,
  /** Learning rate of the last step. */
  learningRate: z.number().min(0),
  /** Null for the first point of a process, whose start is not timed. */
  samplesPerSecond: z.number().min(0).nullable(),
});
export type LearningPoint = z.infer<typeof LearningPoint>;
