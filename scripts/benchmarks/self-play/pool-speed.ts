import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '../../../data/files/unfinished-paths.js';
import { readRunConfig } from '../../../training/config/config-file.js';
import { modelPath } from '../../../training/export/model-file.js';
import { planShards } from '../../../training/self-play/shard-job.js';
import { softwareVersion } from '../../../training/software-version.js';
import { NatsPool } from '../../../training/workers/pool/coordinator/nats-pool.js';
import { readTicket } from '../../../training/workers/pool/wire/pool-ticket.js';
import { untilPresent } from '../../../training/workers/pool/simulation/pool-simulation.js';
import { ProcessPool } from '../../../training/workers/process-pool.js';
import type { WorkerPool } from '../../../training/workers/worker-pool.js';
import { presetPath } from '../../options/config-options.js';
import { LAUNCHER } from '../launcher.js';

// Plays the same games with two processes of this machine and with two workers of one process each, by turns:
// `node dist/scripts/benchmarks/self-play/pool-speed.js nats://127.0.0.1:4222 [PAIRS [REPLAY_SHARE]]`, by default 3
// pairs and the share of a run. The server must let everyone in, and no run may use it.

const LANES = 2;
const SHARDS = 32;
const GAMES_PER_SHARD = 8;
const { game: GAME, selfPlay: SELF_PLAY } = await readRunConfig(presetPath('gess-24h'));
const MODEL = await modelPath('gess-int8');

/**
 * Plays shards of the shipped network's self-play, with the settings of the preset gess-24h.
 *
 * @returns games a second, until as many are left as a shard has: then a process runs out of work.
 */
async function gamesPerSecond(pool: WorkerPool, folder: string, seed: number): Promise<number> {
  const games = SHARDS * GAMES_PER_SHARD;
  await mkdir(folder);
  const jobs = await planShards({
    folder,
    game: GAME,
    source: { kind: 'network', modelPath: MODEL, config: SELF_PLAY },
    seed,
    generation: 0,
    firstGame: 0,
    games,
    gamesPerShard: GAMES_PER_SHARD,
    softwareVersion: softwareVersion(),
  });
  const timed = games - GAMES_PER_SHARD;
  let endMs = NaN;
  const startMs = performance.now();
  const onGame = (finished: number): void => {
    if (finished >= timed && Number.isNaN(endMs)) endMs = performance.now();
  };
  await pool.playShards(jobs, { onGame });
  return (1000 * timed) / (endMs - startMs);
}

/** Starts a worker with one process, and its cache in `folder`. */
function startWorker(url: string, folder: string): ChildProcess {
  const words = [LAUNCHER, 'worker', '--pool', url, '--processes', '1', '--cache', folder];
  return spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function measurePairs(
  url: string,
  { pairs, replayShare }: { readonly pairs: number; readonly replayShare: number | undefined },
  folder: string,
): Promise<void> {
  const local = new ProcessPool(LANES);
  // This machine's own process judges the workers' games and replays a share of them, as in a run.
  const onMessage = (text: string): void => void process.stderr.write(`${text}\n`);
  const pool = await NatsPool.open(await readTicket(url), {
    processes: 1,
    isOutsourced: true,
    replayShare,
    onMessage,
  });
  const workers = Array.from({ length: LANES }, (_, index) =>
    startWorker(url, join(folder, `cache-${index}`)),
  );
  try {
    await untilPresent(pool, LANES);
    // Pair 0 starts the processes, and the first shard of each worker is replayed as a whole.
    for (let pair = 0; pair <= pairs; pair++) {
      const processesPerSecond = await gamesPerSecond(local, join(folder, `local-${pair}`), pair);
      const workersPerSecond = await gamesPerSecond(pool, join(folder, `pool-${pair}`), pair);
      const speed = {
        processesPerSecond,
        workersPerSecond,
        ratio: workersPerSecond / processesPerSecond,
      };
      if (pair > 0) process.stdout.write(`${JSON.stringify(speed)}\n`);
    }
  } finally {
    const ended = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) worker.kill('SIGINT');
    await Promise.all(ended);
    await pool.dispose();
    await local.dispose();
  }
}

const [url = 'nats://127.0.0.1:4222', pairs = '3', share] = process.argv.slice(2);
const plan = { pairs: Number(pairs), replayShare: share === undefined ? undefined : Number(share) };
await withTemporaryFolder('gess-pool-speed-', (folder) => measurePairs(url, plan, folder));
