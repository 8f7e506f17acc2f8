import { z } from 'zod';

/** Which average of the weights plays. */
export const AveragingConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('none').default('none').meta({
      description: 'average of the weights that plays: `none`, `exponential` or `stochastic`',
    }),
  }),
  z.strictObject({
    kind: z.literal('exponential'),
    decay: z.number().min(0).max(0.999_999).default(0.999).meta({
      description: '`exponential`: share of the average that stays at each step',
    }),
  }),
  z.strictObject({
    kind: z.literal('stochastic'),
    fromShare: z.number().min(0).max(1).default(0.5).meta({
      description: "`stochastic`: share of a generation's steps before the average begins",
    }),
    everySteps: z.int().min(1).default(20).meta({
      description: '`stochastic`: steps between two weights of the average',
    }),
  }),
]);
export type AveragingConfig = z.infer<typeof AveragingConfig>;

/** How the network learns from the window. */
export const LearnerConfig = z.strictObject({
  batchSize: z.int().min(1).max(8192).default(256).meta({ description: 'samples a step' }),
  optimizer: z.enum(['adamw', 'muon']).default('adamw').meta({
    description:
      'what moves the weights: `adamw`, or `muon` for the kernels of the residual blocks and Adam for the rest',
  }),
  learningRate: z.number().positive().default(1e-3).meta({ description: 'of the optimiser' }),
  finalRateShare: z.number().min(0).max(1).default(1).meta({
    description: "the learning rate falls along a cosine to this share of it over a generation's steps",
  }),
  warmUpSteps: z.int().min(0).default(0).meta({
    description: "the learning rate rises linearly over the run's first steps, as many as this",
  }),
  rateDrops: z
    .array(
      z.strictObject({
        step: z.int().min(0).meta({ description: "of the run's steps" }),
        factor: z.number().positive().max(1).meta({ description: 'of the learning rate from there on' }),
      }),
    )
    .default([])
    .meta({ description: 'steps of the run from which the learning rate is times `factor`' }),
  averaging: AveragingConfig.prefault({}),
  weightDecay: z.number().min(0).default(1e-4).meta({ description: 'decoupled, times the learning rate' }),
  clipNorm: z.number().positive().default(5).meta({ description: 'greatest norm of all gradients together' }),
  passes: z
    .number()
    .positive()
    .max(64)
    .default(4)
    .meta({ description: 'times each new row is drawn, on average, over its life in the window' }),
  warmStartPasses: z
    .number()
    .positive()
    .max(64)
    .default(2)
    .meta({ description: 'passes over the warm start' }),
  maxSteps: z.int().min(1).default(100_000).meta({ description: 'greatest number of steps a generation' }),
  saveEvery: z.int().min(0).default(500).meta({
    description: 'steps after which a half-learnt generation is saved; 0: only when the run is stopped',
  }),
  valueMix: z
    .number()
    .min(0)
    .max(1)
    .default(0.25)
    .meta({ description: "weight of the search's value in the value target; the rest is the game's result" }),
  valueWeight: z.number().min(0).default(1).meta({ description: 'weight of the value loss' }),
  movesLeftWeight: z.number().min(0).default(0.1).meta({ description: 'weight of the loss of plies left' }),
  holdersWeight: z.number().min(0).default(0.3).meta({
    description: 'weight of the loss of who holds the squares, a mean over squares',
  }),
  ringsWeight: z.number().min(0).default(0.1).meta({
    description: 'weight of the loss of surviving rings, a mean over squares of rings',
  }),
  replyWeight: z.number().min(0).default(0.15).meta({
    description: "weight of the loss of the opponent's reply",
  }),
  shortTermWeight: z.number().min(0).default(0.25).meta({
    description: 'weight of the loss of the value some plies later',
  }),
  shortTermPlies: z.int().min(1).max(64).default(8).meta({
    description: 'how many plies later, on average: weights fall by the factor 1 - 1 / plies a ply',
  }),
  ringPlies: z.int().min(1).max(64).default(8).meta({ description: 'plies that a ring is to survive' }),
  symmetries: z
    .union([z.boolean(), z.literal('sides')])
    .default(true)
    .meta({
      description:
        'draw a board symmetry for each sample; `sides`: only of those that leave the sides of the players where they are',
    }),
  threads: z.int().min(1).max(256).default(2).meta({ description: 'threads of TensorFlow' }),
  precision: z.enum(['float32', 'bfloat16']).default('float32').meta({
    description: 'what TensorFlow multiplies; `bfloat16` is quicker where the processor has AMX',
  }),
});
export type LearnerConfig = z.infer<typeof LearnerConfig>;
