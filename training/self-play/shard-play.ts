import { basename } from 'node:path';
import type { Agent } from '../../agents/agent.js';
import type { ManifestDetails } from '../../data/files/manifest.js';
import { isShardName } from '../../data/arrow-names.js';
import { findShard, listShards, writeShard } from '../../data/shards/shard.js';
import { createGame } from '../../env/games.js';
import type { Game } from '../../env/game.js';
import { countOf } from '../../env/text/count-of.js';
import { TrainingError } from '../training-error.js';
import type { WarmStartConfig } from '../config/groups/warm-start-config.js';
import { openModelFile } from '../export/model-file.js';
import { withAgent } from '../export/open-agent.js';
import type { FinishedGame } from './training-game.js';
import type { JobEffort } from './job-effort.js';
import { playNetworkGames, type PlayedGames } from './network-games.js';
import type { RecordedMoves } from './self-play-game.js';
import { GameStatistics, sumStatistics } from './self-play-statistics.js';
import { shardOf } from './shard-content.js';
import { digestOfJob, type ShardJob } from './shard-job.js';
import { Teacher } from './teacher.js';
import { playWarmStartGames } from './warm-start.js';

/** A finished shard. */
export interface ShardReport {
  readonly path: string;
  readonly statistics: GameStatistics;
  /** Null if the shard existed before. */
  readonly effort: JobEffort | null;
  /** Statistics of each game, by number; empty if the shard existed before. */
  readonly games: readonly GameStatistics[];
}

type OnGame = (game: FinishedGame) => void;

/** Options for playing the games of a job. */
interface JobPlayOptions {
  readonly onGame?: OnGame | undefined;
  /** Moves of a network's games that are replayed. */
  readonly recorded?: RecordedMoves;
  /** Opens the network; by default with this processor's own instructions. */
  readonly openModel?: typeof openModelFile;
}

async function playAgentGames(
  agent: Agent<unknown>,
  config: WarmStartConfig,
  job: ShardJob,
  onGame?: OnGame,
): Promise<PlayedGames> {
  const startMs = performance.now();
  const games = await playWarmStartGames(agent, { config, seed: job.seed }, job, onGame);
  const seconds = (performance.now() - startMs) / 1000;
  return { games, effort: { seconds, networkEvaluations: 0, cacheHits: 0 } };
}

/**
 * Plays the games of a job.
 *
 * @throws as `playShard` does, except for errors of the shard.
 */
export async function playJobGames(
  game: Game<unknown>,
  job: ShardJob,
  { onGame, recorded, openModel = openModelFile }: JobPlayOptions = {},
): Promise<PlayedGames> {
  const { source, seed, firstGame, games } = job;
  if (source.kind === 'agent') {
    const { config } = source;
    return withAgent(config.agent, game, (agent) => playAgentGames(agent, config, job, onGame));
  }
  const { config, modelPath } = source;
  const play = async (teacher?: Teacher): Promise<PlayedGames> => {
    const session = await openModel(modelPath, game);
    return playNetworkGames(game, session, { config, seed, recorded, teacher, firstGame, games }, onGame);
  };
  if (config.teacher === undefined) return play();
  return withAgent(config.teacher, game, (agent) => play(new Teacher(agent, seed)));
}

/**
 * Reads the report of the job's shard; null if the shard does not exist.
 *
 * @throws TrainingError `shard-of-other-job`; DataError for a damaged shard.
 */
export async function findPlayed(job: ShardJob): Promise<ShardReport | null> {
  const details = (await findShard(job.path))?.details;
  if (details === undefined) return null;
  const statistics = GameStatistics.safeParse(details['statistics']).data;
  if (details['jobDigest'] === digestOfJob(job) && statistics !== undefined) {
    return { path: job.path, statistics, effort: null, games: [] };
  }
  if (statistics !== undefined && details['jobDigest'] === digestOfJob({ ...job, games: statistics.games })) {
    throw new TrainingError(
      'shard-of-other-job',
      `expected ${countOf(job.games, 'game')} in ${job.path}, found ${statistics.games}, of the same settings: ` +
        'remove it to play its games again, or choose another folder',
    );
  }
  throw new TrainingError(
    'shard-of-other-job',
    `${job.path} has games with another seed, network or settings: choose another folder or remove it`,
  );
}

/**
 * Refuses further shards in the folder of the jobs: their games would silently count as games of these jobs.
 *
 * @throws TrainingError `shard-of-other-job`; DataError `file-missing`, `file-unreadable` for the folder.
 */
export async function expectNoFurtherShards(folder: string, jobs: readonly ShardJob[]): Promise<void> {
  const planned = new Set(jobs.map(({ path }) => path));
  const further = (await listShards(folder)).find(
    (path) => isShardName(basename(path)) && !planned.has(path),
  );
  if (further === undefined) return;
  const games = jobs.reduce((sum, job) => sum + job.games, 0);
  throw new TrainingError(
    'shard-of-other-job',
    `expected shards of ${countOf(games, 'game')} in ${folder}, found ${basename(further)} too: ` +
      'use the earlier --games and selfPlay.gamesPerShard, or choose another folder',
  );
}

/** Details in the manifest of a job's shard. */
export function shardDetails(job: ShardJob, statistics: GameStatistics): ManifestDetails {
  return { jobDigest: digestOfJob(job), statistics };
}

/**
 * Plays the games of a job and writes their shard, unless the shard exists already.
 *
 * @throws TrainingError `shard-of-other-job`, or `agent-value` for a teacher without a value; NotationError for the
 *   game; AgentError for the model or the agent's text; DataError for an existing shard that is damaged, or one that
 *   cannot be written.
 */
export async function playShard(job: ShardJob, onGame?: OnGame): Promise<ShardReport> {
  const game = createGame(job.game.id, job.game.rules);
  const done = await findPlayed(job);
  if (done !== null) return done;
  const { games, effort } = await playJobGames(game, job, { onGame });
  const parts = games.map((played) => played.statistics);
  const statistics = sumStatistics(parts);
  await writeShard(job.path, shardOf(game, job, games), shardDetails(job, statistics));
  return { path: job.path, statistics, effort, games: parts };
}
