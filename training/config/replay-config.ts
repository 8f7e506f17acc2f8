import { z } from 'zod';

/** How many generations are in the window. */
export const WindowConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('generations').default('generations').meta({
      description: 'how large the window is: `generations`, or `power`, a power of all rows there were',
    }),
  }),
  z.strictObject({
    kind: z.literal('power'),
    rows: z
      .int()
      .min(1)
      .default(250_000)
      .meta({ description: '`power`: rows up to which all are in it (c)' }),
    exponent: z.number().min(0.01).max(1).default(0.75).meta({
      description: '`power`: of the rows there were (alpha)',
    }),
    slope: z.number().positive().max(1).default(0.4).meta({
      description: '`power`: how much of each new row the window grows by at first (beta)',
    }),
  }),
]);

/** Which generations the learner draws rows from, and which rows more often. */
export const ReplayConfig = z.strictObject({
  windowGenerations: z.int().min(1).default(8).meta({ description: 'newest generations in the window' }),
  window: WindowConfig.prefault({}),
  maxPasses: z.number().positive().default(16).meta({
    description: 'a generation leaves the window when its rows were drawn so many times, on average',
  }),
  warmStartShare: z.number().min(0).max(1).default(0).meta({
    description:
      'share of the rows of generation 2 that are drawn from the warm start, however old; 0: its rows are like any others',
  }),
  warmStartDecay: z.number().min(0).max(1).default(0.8).meta({
    description: 'factor of that share from each generation to the next',
  }),
  surpriseShare: z.number().min(0).max(1).default(0).meta({
    description:
      'how far a row is drawn in proportion to how much the search changed the policy; 0: all alike',
  }),
  memoryMiB: z.int().min(0).default(2048).meta({
    description: 'shards of the window held in memory, in MiB; rows beyond are read from the disk when drawn',
  }),
  mergeEqual: z.boolean().default(false).meta({
    description: 'learn equal positions of the window with their mean policy and value',
  }),
  validationShare: z.number().min(0).max(0.5).default(0.05).meta({ description: 'share of games held back' }),
});
export type ReplayConfig = z.infer<typeof ReplayConfig>;
