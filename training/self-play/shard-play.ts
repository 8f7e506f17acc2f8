import * as z from 'zod';
import { createAgent } from '../../agents/create-agent.js';
import { NetworkEvaluator } from '../../agents/evaluators/network-evaluator.js';
import { columnsOf } from '../../data/shards/shard-columns.js';
import { findShard, writeShard } from '../../data/shards/shard.js';
import { createGame } from '../../env/games.js';
import type { Game } from '../../env/game.js';
import { TrainingError } from '../training-error.js';
import { openModelFile } from '../export/model-file.js';
import type { FinishedGame } from './game-record.js';
import { prepareStarts, variesStarts } from './game-start.js';
import { GameStatistics, sumStatistics } from './self-play-statistics.js';
import { playSelfPlayGames } from './self-play.js';
import { digestOfJob, type ShardJob } from './shard-job.js';
import { playWarmStartGames } from './warm-start.js';

/** Capacity of the evaluation cache of a job. */
export const CACHE_SIZE = 20_000;

/** Time and evaluations that a job took; differs from one run to another. */
export const JobEffort = z.strictObject({
  /** Playing only, without loading and writing. */
  seconds: z.number().min(0),
  /** Positions evaluated by the network. */
  networkEvaluations: z.int().min(0),
  cacheHits: z.int().min(0),
});
export type JobEffort = z.infer<typeof JobEffort>;

/** A finished shard. */
export interface ShardReport {
  readonly path: string;
  readonly statistics: GameStatistics;
  /** Null if the shard existed before. */
  readonly effort: JobEffort | null;
}

interface PlayedGames {
  readonly games: readonly FinishedGame[];
  readonly effort: JobEffort;
}

type OnGame = (game: FinishedGame) => void;

async function playJob(game: Game<unknown>, job: ShardJob, onGame: OnGame | undefined): Promise<PlayedGames> {
  const { source, seed } = job;
  if (source.kind === 'agent') {
    const agent = await createAgent(source.config.agent, game, openModelFile);
    try {
      const startMs = performance.now();
      const games = await playWarmStartGames(agent, { config: source.config, seed }, job, onGame);
      const seconds = (performance.now() - startMs) / 1000;
      return { games, effort: { seconds, networkEvaluations: 0, cacheHits: 0 } };
    } finally {
      await agent.dispose();
    }
  }
  const { config, modelPath, archive = [] } = source;
  const startPlan = { config: config.starts, archive, seed, generation: job.generation };
  const starts = variesStarts(config.starts) && { starts: await prepareStarts(game, startPlan, job) };
  const options = { batchSize: config.batchSize, cacheSize: CACHE_SIZE };
  const evaluator = await NetworkEvaluator.create(game, await openModelFile(modelPath, game), options);
  try {
    const startMs = performance.now();
    const games = await playSelfPlayGames({ game, config, seed, ...starts }, job, evaluator, onGame);
    const seconds = (performance.now() - startMs) / 1000;
    const { evaluated, cache } = evaluator;
    return { games, effort: { seconds, networkEvaluations: evaluated, cacheHits: cache.hits } };
  } finally {
    await evaluator.dispose();
  }
}

/** The report of the job's shard if it exists, else null. */
async function findDone(job: ShardJob, jobDigest: string): Promise<ShardReport | null> {
  const details = (await findShard(job.path))?.details;
  if (details === undefined) return null;
  const statistics = GameStatistics.safeParse(details['statistics']).data;
  if (details['jobDigest'] === jobDigest && statistics !== undefined) {
    return { path: job.path, statistics, effort: null };
  }
  throw new TrainingError(
    'shard-of-other-job',
    `${job.path} has games of another seed, network or settings: choose another folder or remove it`,
  );
}

/**
 * Plays the games of a job and writes their shard, unless it exists already.
 *
 * @throws TrainingError `shard-of-other-job`; NotationError for the game; AgentError for the model or the agent's text;
 *   DataError for an existing shard that is damaged, or one that cannot be written.
 */
export async function playShard(job: ShardJob, onGame?: OnGame): Promise<ShardReport> {
  const game = createGame(job.game.id, job.game.rules);
  const jobDigest = digestOfJob(job);
  const done = await findDone(job, jobDigest);
  if (done !== null) return done;
  const { games, effort } = await playJob(game, job, onGame);
  const samples = games.flatMap((played) => played.samples);
  const statistics = sumStatistics(games.map((played) => played.statistics));
  const metadata = {
    game: game.id,
    rules: game.rules,
    rulesVersion: game.rulesVersion,
    encodingVersion: game.encodingVersion,
    seed: job.seed,
    generation: job.generation,
    configDigest: job.sourceDigest,
    softwareVersion: job.softwareVersion,
  };
  const shard = { columns: columnsOf(samples, game.packedSize), metadata };
  const { starts, ...counts } = statistics;
  const known = starts === undefined ? counts : { ...counts, starts };
  await writeShard(job.path, shard, { jobDigest, statistics: known });
  return { path: job.path, statistics, effort };
}
