import { join } from 'node:path';
import { readInput } from '../../../../data/files/input-file.js';
import { decodeShard } from '../../../../data/shards/shard-decoding.js';
import type { ShardColumns } from '../../../../data/shards/shard-columns.js';
import { encodeShard } from '../../../../data/shards/shard-encoding.js';
import { createGame } from '../../../../env/games.js';
import { WarmStartConfig } from '../../../config/groups/warm-start-config.js';
import { judgeShard } from '../../../self-play/foreign-shard/foreign-shard.js';
import { planShards, type ShardJob } from '../../../self-play/shard-job.js';
import { metadataOf } from '../../../self-play/shard-content.js';
import { playShard } from '../../../self-play/shard-play.js';
import type { GameStatistics } from '../../../self-play/self-play-statistics.js';
import { softwareVersion } from '../../../software-version.js';

/** Processor time of this process in ms. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const GAME = { id: 'gess', rules: 'eureka' };

/** A job that was really played, as plain JSON for other processes. */
export interface RecordedJob {
  /** Of its shard. */
  readonly path: string;
  readonly firstGame: number;
  readonly games: readonly GameStatistics[];
  /** Processor time that it took. */
  readonly lengthMs: number;
}

/** Jobs of games of Gess between the bot's quickest form and itself: the warm start of the preset small. */
export function planJobs(folder: string, jobs: number, gamesPerShard: number): Promise<readonly ShardJob[]> {
  return planShards({
    folder,
    game: GAME,
    source: { kind: 'agent', config: { ...WarmStartConfig.parse({}), agent: 'alphabeta:depth=1' } },
    seed: 1,
    generation: 0,
    firstGame: 0,
    games: jobs * gamesPerShard,
    gamesPerShard,
    softwareVersion: softwareVersion(),
  });
}

/**
 * Plays jobs in this process.
 *
 * @param folder for their shards.
 */
export async function recordJobs(
  folder: string,
  jobs: number,
  gamesPerShard: number,
): Promise<readonly RecordedJob[]> {
  const recorded: RecordedJob[] = [];
  for (const job of await planJobs(join(folder, 'recorded'), jobs, gamesPerShard)) {
    const startMs = processorMs();
    const { games } = await playShard(job);
    recorded.push({ path: job.path, firstGame: job.firstGame, games, lengthMs: processorMs() - startMs });
  }
  return recorded;
}

/** A recorded job with the rows of its shard. */
export interface Recording extends RecordedJob {
  readonly columns: ShardColumns;
}

/** Reads the shard of a recorded job. */
export async function readRecording(job: RecordedJob): Promise<Recording> {
  return { ...job, columns: decodeShard(job.path, await readInput(job.path, 'shard')).columns };
}

/** The bytes of a recorded shard, with its games renumbered for another job. */
export function relabel(
  { columns, firstGame }: Recording,
  job: Pick<ShardJob, 'firstGame' | 'seed' | 'generation' | 'sourceDigest' | 'softwareVersion'>,
): Uint8Array {
  const shift = job.firstGame - firstGame;
  const gameIds = columns.gameIds.map((id) => id + shift);
  return encodeShard({ ...columns, gameIds }, metadataOf(createGame(GAME.id, GAME.rules), job));
}

/** Processor time of judging recorded shards without replays, in ms each. */
export async function measureJudging(
  recorded: readonly RecordedJob[],
  jobs: readonly ShardJob[],
): Promise<number> {
  const judge = async (): Promise<number> => {
    const startMs = processorMs();
    for (const [index, { path, games }] of recorded.entries()) {
      const problem = await judgeShard({
        job: jobs[index]!,
        file: path,
        games,
        replayed: [],
        kernels: 'native',
      });
      if (problem !== null) throw new Error(`expected a sound shard, found ${problem}`);
    }
    return (processorMs() - startMs) / recorded.length;
  };
  // The first round includes compilation.
  await judge();
  return judge();
}
