import { z } from 'zod';
import { parseAgentSpec } from '../../agents/agent-spec.js';
import { describeEncoding } from '../../env/encoding.js';
import { CodedError } from '../../env/errors.js';
import { createGame, GAME_IDS } from '../../env/games.js';
import { SearchConfig } from '../../agents/search-config.js';
import { GateConfig } from './gate-config.js';
import { canHaveNetwork, NetworkConfig } from '../network/network-config.js';
import { GrowthConfig } from './search-growth.js';
import { StartsConfig } from './starts-config.js';

export { NetworkConfig } from '../network/network-config.js';

/** Reports what `parse` throws as a problem of the configuration, at the place of the value. */
function mustParse<Value>(
  parse: (value: Value) => unknown,
): (value: Value, context: z.RefinementCtx) => void {
  return (value, context) => {
    try {
      parse(value);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      // Checks of several settings rely on what was parsed here: they are left out where it cannot be.
      context.addIssue({ code: 'custom', message: error.message, continue: false });
    }
  };
}

/** The text of an agent. */
const AgentText = z.string().superRefine(mustParse(parseAgentSpec));

const GameNames = z.strictObject({
  id: z.enum(GAME_IDS).default('gess').meta({ description: 'gess, quess or connect-four' }),
  rules: z.string().default('default').meta({ description: "the game's rules, as for --rules" }),
});

/** Which game is learnt. */
export const GameConfig = GameNames.superRefine(mustParse(({ id, rules }) => createGame(id, rules)));
export type GameConfig = z.infer<typeof GameConfig>;

/** Games by a hand-written agent that the first network learns from. */
export const WarmStartConfig = z.strictObject({
  agent: AgentText.default('alphabeta:depth=2').meta({ description: 'who plays them' }),
  games: z.int().min(0).default(0).meta({ description: 'how many; 0 starts from nothing' }),
  randomPlies: z
    .int()
    .min(0)
    .default(6)
    .meta({ description: 'greatest number of plies at the start by `careful`, so that games differ' }),
  randomMoveShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .meta({ description: 'share of later moves played by `careful`, not learnt as policy' }),
  sampleShare: z.number().positive().max(1).default(1).meta({
    description:
      'share of the positions of these games that become rows, drawn at random; the games stay the same',
  }),
  quietOnly: z.boolean().default(false).meta({
    description:
      'only positions whose move wins neither material nor the game become rows; the games stay the same',
  }),
});
export type WarmStartConfig = z.infer<typeof WarmStartConfig>;

/** How games of the network against itself are played. */
export const SelfPlayConfig = z.strictObject({
  processes: z.int().min(1).max(256).default(2).meta({ description: 'single-threaded processes' }),
  games: z.int().min(1).default(256).meta({ description: 'games a generation' }),
  gamesPerShard: z.int().min(1).default(64).meta({ description: 'games a job plays and a shard holds' }),
  concurrentGames: z.int().min(1).default(32).meta({ description: 'games a process plays at once' }),
  batchSize: z.int().min(1).max(1024).default(16).meta({ description: 'positions a network evaluation' }),
  precision: z.enum(['float32', 'int8']).default('float32').meta({
    description: 'of the network that plays these games; `int8` is quicker and nearly as exact',
  }),
  search: SearchConfig.prefault({}),
  growth: GrowthConfig.prefault({}),
  randomPlies: z.int().min(0).default(4).meta({
    description: 'greatest number of plies at the start drawn from the policy of the network alone',
  }),
  starts: StartsConfig.prefault({}),
  resignValue: z.number().min(-1).max(0).default(-1).meta({
    description: 'a player whose search says less than this, in [-1, 1], resigns; -1: nobody does',
  }),
  playOnShare: z.number().min(0).max(1).default(0.1).meta({
    description: 'share of games in which nobody resigns, to calibrate resignation',
  }),
  resignErrorShare: z.number().min(0).max(1).default(0.05).meta({
    description:
      'of games played on, greatest share of those that resignation would have ended wrongly: it sets resignValue in later generations; 0: it stays',
  }),
  temperature: z
    .number()
    .min(0)
    .default(1)
    .meta({ description: 'of the move choice by visits; not with a Gumbel root' }),
  temperaturePlies: z.int().min(0).default(20).meta({ description: 'plies before the final temperature' }),
  finalTemperature: z.number().min(0).default(0).meta({
    description: 'of the move choice after those plies; 0: the best move; not with a Gumbel root',
  }),
  temperatureMargin: z.number().min(0).max(2).default(0).meta({
    description:
      'moves whose value, in [-1, 1], is more than this below that of the most visited one are not drawn, so that no blunder decides a result; 0: all may be; not with a Gumbel root',
  }),
  fullSearchShare: z.number().min(0).max(1).default(1).meta({
    description: 'share of moves searched in full; only these are learnt as policy',
  }),
  cheapSimulations: z.int().min(1).default(16).meta({
    description: 'simulations of the other moves, which are searched without noise',
  }),
  dirichletScale: z
    .number()
    .min(0)
    .default(10)
    .meta({ description: 'alpha of the Dirichlet noise is this over the number of legal actions' }),
  noiseFraction: z.number().min(0).max(1).default(0.25).meta({
    description: 'weight of the Dirichlet noise in the priors of the root; none with a Gumbel root',
  }),
  gumbelScale: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .meta({ description: 'factor of the Gumbel noise, with a Gumbel root' }),
});
export type SelfPlayConfig = z.infer<typeof SelfPlayConfig>;

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

/** Matches of the newest network against fixed opponents. */
export const EvaluationConfig = z.strictObject({
  every: z.int().min(0).default(5).meta({ description: 'generations between evaluations; 0: none' }),
  opponents: z
    .array(AgentText)
    .default(['careful', 'greedy', 'alphabeta:depth=1'])
    .meta({ description: 'agents to play' }),
  games: z.int().min(2).multipleOf(2).default(40).meta({ description: 'games a match' }),
  simulations: z.int().min(1).default(64).meta({ description: 'MCTS simulations of the network' }),
  openingPlies: z.int().min(0).default(4).meta({ description: 'careful random plies before a match game' }),
  playsFirst: z.boolean().default(true).meta({ description: 'also play the untrained network' }),
});
export type EvaluationConfig = z.infer<typeof EvaluationConfig>;

/** Which generations stay on the disk; the network before training and the newest always do. */
export const RetentionConfig = z.strictObject({
  checkpoints: z
    .strictObject({
      last: z.int().min(0).default(0).meta({ description: 'newest checkpoints that stay; 0: all' }),
      every: z.int().min(0).default(0).meta({
        description: 'of the older checkpoints each of so many generations stays too; 0: none',
      }),
      best: z.boolean().default(true).meta({
        description: 'whether that one stays too which scored best against `evaluation.opponents`',
      }),
    })
    .prefault({}),
  data: z
    .strictObject({
      last: z.int().min(0).default(0).meta({
        description: 'newest generations whose games stay, beside those that learning still needs; 0: all',
      }),
    })
    .prefault({}),
});
export type RetentionConfig = z.infer<typeof RetentionConfig>;

const RunParts = z.strictObject({
  $schema: z.string().optional(),
  seed: z.int().min(0).default(1).meta({ description: 'makes every random stream of the run' }),
  generations: z.int().min(1).default(10).meta({ description: 'networks to train' }),
  game: GameConfig.prefault({}),
  network: NetworkConfig.prefault({}),
  warmStart: WarmStartConfig.prefault({}),
  selfPlay: SelfPlayConfig.prefault({}),
  learner: LearnerConfig.prefault({}),
  replay: ReplayConfig.prefault({}),
  gate: GateConfig.prefault({}),
  evaluation: EvaluationConfig.prefault({}),
  retention: RetentionConfig.prefault({}),
});

/** A whole run: what `gess train --config` reads. */
export const RunConfig = RunParts.superRefine(({ game, network, selfPlay }, context) => {
  if (selfPlay.starts.reducedShare > 0 && game.id !== 'gess') {
    const path = ['selfPlay', 'starts', 'reducedShare'];
    context.addIssue({ code: 'custom', path, message: `${game.id} has no armies to reduce` });
  }
  const { growth, search } = selfPlay;
  if (growth.generations > 0 && growth.from > search.simulations) {
    const message = `expected at most selfPlay.search.simulations, ${search.simulations}, got ${growth.from}`;
    context.addIssue({ code: 'custom', path: ['selfPlay', 'growth', 'from'], message });
  }
  if (!canHaveNetwork(createGame(game.id, game.rules), network)) {
    const message = `moves of ${game.id} do not go from square to square`;
    context.addIssue({ code: 'custom', path: ['network', 'policyAttention'], message });
  }
  if (network.rings && describeEncoding(game.id)?.rings === undefined) {
    context.addIssue({ code: 'custom', path: ['network', 'rings'], message: `${game.id} has no rings` });
  }
});
export type RunConfig = z.infer<typeof RunConfig>;

/**
 * A run's configuration as somebody asks for it: without settings that would do nothing, which runs begun by earlier
 * versions may have.
 */
export const AskedRunConfig = RunConfig.superRefine(({ network }, context) => {
  const { blocks, globalPoolEvery } = network;
  if (globalPoolEvery <= blocks) return;
  const message = `expected at most network.blocks, ${blocks}, got ${globalPoolEvery}`;
  context.addIssue({ code: 'custom', path: ['network', 'globalPoolEvery'], message });
});
