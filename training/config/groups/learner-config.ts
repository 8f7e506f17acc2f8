import * as z from 'zod';
import { HEAD_LEARNER_SETTINGS } from '../../network/heads/head-table.js';
import { MAX_ENTRIES, MAX_STEPS } from './setting-limits.js';

/** Average of the weights for play. */
const AveragingConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('exponential').default('exponential').meta({
      description: 'average of the weights for play: `exponential` or `none`',
    }),
    decay: z.number().min(0).max(0.999_999).default(0.995).meta({
      description: 'factor of the old average in each step',
    }),
  }),
  z.strictObject({ kind: z.literal('none') }),
]);

/** Learning from the replay window. */
export const LearnerConfig = z.strictObject({
  batchSize: z.int().min(1).max(8192).default(256).meta({ description: 'samples per step' }),
  optimizer: z.enum(['adamw', 'muon']).default('muon').meta({
    description:
      'optimiser: `adamw`, or `muon` for the kernels of the residual blocks with Adam for the rest',
  }),
  learningRate: z.number().positive().max(10).default(2e-3).meta({ description: 'learning rate' }),
  finalRateShare: z.number().min(0).max(1).default(1).meta({
    description:
      'the learning rate decays along a half cosine to this share within each generation; 1: no decay',
  }),
  warmUpSteps: z.int().min(0).max(MAX_STEPS).default(0).meta({
    description:
      'first steps of the optimiser over which the learning rate rises linearly; a checkpoint of `--from` keeps its count',
  }),
  rateDrops: z
    .array(
      z.strictObject({
        step: z
          .int()
          .min(0)
          .max(MAX_STEPS)
          .meta({ description: 'step of the run from which the factor applies' }),
        factor: z.number().positive().max(1).meta({ description: 'factor of the learning rate' }),
      }),
    )
    .max(MAX_ENTRIES)
    .default([])
    .meta({ description: 'steps of the run from which the learning rate is multiplied by `factor`' }),
  averaging: AveragingConfig.prefault({}),
  weightDecay: z
    .number()
    .min(0)
    .max(10)
    .default(1e-4)
    .meta({ description: 'decoupled weight decay, multiplied by the learning rate' }),
  clipNorm: z
    .number()
    .positive()
    .max(1e6)
    .default(5)
    .meta({ description: 'largest norm of the whole gradient; longer ones are clipped' }),
  passes: z
    .number()
    .positive()
    .max(64)
    .default(4)
    .meta({ description: 'mean number of times that a new row is sampled while it is in the window' }),
  warmStartPasses: z
    .number()
    .positive()
    .max(64)
    .default(2)
    .meta({ description: 'passes over the rows of the warm start' }),
  maxSteps: z
    .int()
    .min(1)
    .max(MAX_STEPS)
    .default(100_000)
    .meta({ description: 'largest number of steps per generation' }),
  saveEvery: z.int().min(0).max(MAX_STEPS).default(500).meta({
    description: 'steps between saves of an unfinished generation; 0: only when the run is stopped',
  }),
  ...HEAD_LEARNER_SETTINGS,
  symmetries: z
    .union([z.boolean(), z.literal('sides')])
    .default('sides')
    .meta({
      description:
        'apply a random board symmetry to each sample; `sides`: only symmetries that keep the sides of the players in place',
    }),
  threads: z.int().min(1).max(256).default(2).meta({ description: 'TensorFlow threads' }),
  precision: z.enum(['float32', 'bfloat16']).default('float32').meta({
    description: 'precision of products in TensorFlow; `bfloat16` is faster on processors with AMX',
  }),
});
export type LearnerConfig = z.infer<typeof LearnerConfig>;
