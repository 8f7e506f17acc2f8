import { readInput } from '../../../../data/files/input-file.js';
import { removeShard } from '../../../../data/shards/shard.js';
import { keyOfGame, type MatchGame } from '../../../matches/match-game.js';
import type { ProcessPool } from '../../process-pool.js';
import type { ContentCache } from './content-cache.js';
import { refOf } from '../wire/content-stream.js';
import { incomingMatch, incomingShard } from './incoming-job.js';
import type { JobOutcome, RemoteJob, RemoteMatchJob, RemoteShardJob } from '../wire/pool-messages.js';

/** The parts that a worker plays with. */
export interface RemotePlayer {
  readonly local: ProcessPool;
  readonly cache: ContentCache;
  /** Folder for shards in progress. */
  readonly folder: string;
}

/** The result of a job, with its content. */
export interface PlayedJob {
  readonly outcome: JobOutcome;
  readonly content: Uint8Array;
}

/** A job with its identity. */
interface IdentifiedJob<Job extends RemoteJob> {
  readonly id: string;
  readonly job: Job;
}

/** Called with the number of finished games. */
type OnGames = (games: number) => void;

async function playShardJob(
  { id, job: remote }: IdentifiedJob<RemoteShardJob>,
  { local, cache, folder }: RemotePlayer,
  onGames: OnGames,
): Promise<PlayedJob> {
  const job = await incomingShard(id, remote, { cache, folder });
  try {
    // A shard that a killed process left behind has no statistics of its games.
    await removeShard(job.path);
    const { games, effort } = await local.run('playShard', job, { onNote: onGames });
    const content = await readInput(job.path, 'shard');
    return {
      outcome: { kind: 'shard', content: await refOf(content), games: [...games], effort: effort! },
      content,
    };
  } finally {
    await removeShard(job.path);
  }
}

async function playMatchJob(
  remote: RemoteMatchJob,
  { local, cache }: RemotePlayer,
  onGames: OnGames,
): Promise<PlayedJob> {
  const job = await incomingMatch(remote, cache);
  const games = new Map<number, MatchGame>();
  await local.run('playMatch', job, {
    onNote: (game) => {
      games.set(keyOfGame(game), game);
      onGames(games.size);
    },
  });
  const content = new TextEncoder().encode(JSON.stringify([...games.values()]));
  return { outcome: { kind: 'match', content: await refOf(content) }, content };
}

/**
 * Plays a job from a coordinator.
 *
 * @throws TrainingError `pool-version`, `pool-content`, `worker-died`; AgentError, NotationError for the job; DataError
 *   for the disk; errors of the server.
 */
export function playRemoteJob(
  { id, job }: IdentifiedJob<RemoteJob>,
  player: RemotePlayer,
  onGames: OnGames,
): Promise<PlayedJob> {
  return job.kind === 'shard'
    ? playShardJob({ id, job }, player, onGames)
    : playMatchJob(job, player, onGames);
}
