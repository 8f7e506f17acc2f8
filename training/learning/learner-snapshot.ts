import * as z from 'zod';
import { RngState } from '../../env/spaces/rng-state.js';
import type { OptimizerState } from '../checkpoints/optimizer-state.js';

/** Counters of a learner between two steps; plain JSON. */
export const LearnerCounters = z.strictObject({
  /** Steps taken so far. */
  step: z.int().min(1),
  /** `Rng.state()` of the stream that samples rows and symmetries. */
  random: RngState,
  /** Sums over the steps, for the statistics. */
  losses: z.record(z.string(), z.number()),
  noise: z.strictObject({ steps: z.int(), squares: z.number(), products: z.number() }),
  normSum: z.number(),
  clipped: z.int(),
  learningRate: z.number(),
  elapsedMs: z.number(),
  preparationMs: z.number(),
});
export type LearnerCounters = z.infer<typeof LearnerCounters>;

/** A learner between two steps: everything that later steps and the statistics depend on. */
export interface LearnerSnapshot {
  readonly counters: LearnerCounters;
  /** `[W]` the weights without averaging. */
  readonly weights: Float32Array;
  readonly optimizer: OptimizerState;
  /** `[W]` the averaged weights; null without averaging. */
  readonly average: Float32Array | null;
  /** `[W]` gradient of the last step, before clipping. */
  readonly gradient: Float32Array;
}
