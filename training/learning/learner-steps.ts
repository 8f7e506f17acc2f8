import type { LearnerConfig } from '../config/groups/learner-config.js';

/** Steps that sample each of `rows` rows `passes` times on average, at most `maxSteps`. */
export function stepsFor(rows: number, passes: number, { batchSize, maxSteps }: LearnerConfig): number {
  return Math.min(Math.ceil((rows * passes) / batchSize), maxSteps);
}
