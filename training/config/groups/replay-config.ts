import * as z from 'zod';
import { MAX_GENERATIONS } from './setting-limits.js';

/** Size of the replay window. */
const WindowConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('generations').default('generations').meta({
      description: 'size of the window: a number of `generations`, or a `power` of the number of all rows',
    }),
  }),
  z.strictObject({
    kind: z.literal('power'),
    rows: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .default(250_000)
      .meta({ description: 'number of rows up to which the window holds all (c)' }),
    exponent: z
      .number()
      .min(0.01)
      .max(1)
      .default(0.75)
      .meta({ description: 'exponent of the growth (alpha)' }),
    slope: z.number().positive().max(1).default(0.4).meta({
      description: 'growth of the window per new row at first (beta)',
    }),
  }),
]);

/** Generations and rows that the learner samples from. */
export const ReplayConfig = z.strictObject({
  windowGenerations: z
    .int()
    .min(1)
    .max(MAX_GENERATIONS)
    .default(8)
    .meta({ description: 'newest generations in the window' }),
  window: WindowConfig.prefault({}),
  maxPasses: z.number().positive().max(1_000_000).default(16).meta({
    description: 'a generation leaves the window once each of its rows was sampled this often on average',
  }),
  warmStartShare: z.number().min(0).max(1).default(0).meta({
    description:
      'share of samples from the warm start in generation 2, independent of its age; 0: no separate share',
  }),
  warmStartDecay: z.number().min(0).max(1).default(0.8).meta({
    description: 'factor of `warmStartShare` per generation',
  }),
  memoryMiB: z.int().min(0).max(1_048_576).default(2048).meta({
    description: 'memory for shards of the window, in MiB; other shards are read from disk when sampled',
  }),
  validationShare: z
    .number()
    .min(0)
    .max(0.5)
    .default(0.05)
    .meta({ description: 'share of games held back for validation' }),
});
export type ReplayConfig = z.infer<typeof ReplayConfig>;
