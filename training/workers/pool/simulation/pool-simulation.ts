import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processorMsOf } from '../../../../data/files/process-identity.js';
import { withTemporaryFolder } from '../../../../data/files/unfinished-paths.js';
import { TrainingError } from '../../../training-error.js';
import { NatsPool } from '../coordinator/nats-pool.js';
import { readTicket } from '../wire/pool-ticket.js';
import { measureJudging, planJobs, processorMs, type RecordedJob, recordJobs } from './recorded-jobs.js';
import type { SimulationOrder, SimulationReport } from './simulated-workers.js';

/** Greatest number of simulated workers of one process. */
const WORKERS_PER_PROCESS = 125;
/** Milliseconds between two checks of the number of workers. */
const LOOK_MS = 100;

/** Settings of a simulation. */
export interface SimulationPlan {
  /** `nats://HOST:PORT` of a server that admits everyone. */
  readonly url: string;
  readonly workers: readonly number[];
  /** Number of jobs that are played and recorded first, and of the games of each. */
  readonly recordings: number;
  readonly games: number;
  /** Number of jobs for each worker. */
  readonly rounds: number;
  /** Mean length of a simulated job in seconds; null: as recorded. */
  readonly jobSeconds: number | null;
  /** Id of the server's process, to measure its processor time; null: not measured. */
  readonly serverPid: number | null;
}

/** Figures of the recorded jobs. */
export interface RecordingFigures {
  readonly jobSeconds: number;
  /** Of its shard. */
  readonly jobBytes: number;
  /** Processor time of judging one, without replays. */
  readonly judgingMs: number;
}

/** Figures for a number of workers. */
export interface SimulationFigures {
  readonly workers: number;
  readonly jobs: number;
  readonly seconds: number;
  readonly jobsPerSecond: number;
  /** Share of the time between a worker's first and last job in which it plays. */
  readonly playingShare: number;
  /**
   * Processor time a second, in cores: the coordinator, without the processes that judge; the server; the simulated
   * workers.
   */
  readonly coordinatorCores: number;
  readonly serverCores: number | null;
  readonly simulationCores: number;
}

interface Crowd {
  /** Resolves with the reports of all processes; rejects when one has ended without its report. */
  readonly reports: Promise<readonly SimulationReport[]>;
  /** Lets the workers end. */
  end(): void;
}

function startCrowd(order: SimulationOrder): Crowd {
  const children: ChildProcess[] = [];
  const reports: Promise<SimulationReport>[] = [];
  const processes = Math.ceil(order.workers / WORKERS_PER_PROCESS);
  for (let index = 0; index < processes; index++) {
    const workers = Math.floor((order.workers + index) / processes);
    const child = fork(fileURLToPath(new URL('./simulated-workers.js', import.meta.url)));
    const failed = once(child, 'exit').then(() => {
      throw new TrainingError('worker-died', 'a process of simulated workers has ended without a report');
    });
    reports.push(
      Promise.race([once(child, 'message').then(([report]) => report as SimulationReport), failed]),
    );
    child.send({ ...order, workers });
    children.push(child);
  }
  return {
    reports: Promise.all(reports),
    end: () => {
      for (const child of children) if (child.connected) child.send('end');
    },
  };
}

/** Waits until all workers have asked for a job, so that connecting is not part of the measurement. */
export async function untilPresent(pool: NatsPool, workers: number, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    const status = await pool.status();
    if (status.workers.length + status.moreWorkers >= workers) return;
    await delay(LOOK_MS);
  }
}

/** Opens a pool that replays no game, because the recorded games are renumbered. */
async function openPool(url: string): Promise<NatsPool> {
  return NatsPool.open(await readTicket(url), { processes: 1, isOutsourced: true, replayShare: 0 });
}

async function simulateWorkers(
  plan: SimulationPlan,
  workers: number,
  { folder, recorded }: { readonly folder: string; readonly recorded: readonly RecordedJob[] },
): Promise<SimulationFigures> {
  const { url, rounds, games, serverPid } = plan;
  const shards = join(folder, `of-${workers}`);
  await mkdir(shards);
  const serverMs = (): number => (serverPid === null ? 0 : (processorMsOf(serverPid) ?? 0));
  const pool = await openPool(url);
  const crowd = startCrowd({ url, workers, recorded });
  const stop = new AbortController();
  // The wait for the jobs ends with the first process that dies.
  crowd.reports.catch(() => {
    stop.abort();
  });
  try {
    await untilPresent(pool, workers, stop.signal);
    const jobs = await planJobs(shards, rounds * workers, games);
    const before = { clock: performance.now(), own: processorMs(), server: serverMs() };
    const played = await pool.playShards(jobs, { signal: stop.signal });
    const elapsedMs = performance.now() - before.clock;
    const ownMs = processorMs() - before.own;
    const theirMs = serverMs() - before.server;
    crowd.end();
    const reports = await crowd.reports;
    const sum = (read: (report: SimulationReport) => number): number =>
      reports.reduce((total, report) => total + read(report), 0);
    const playingMs = sum((report) => report.playingMs);
    return {
      workers,
      jobs: played.length,
      seconds: elapsedMs / 1000,
      jobsPerSecond: (played.length * 1000) / elapsedMs,
      playingShare: playingMs / (playingMs + sum(({ betweenMs }) => betweenMs)),
      coordinatorCores: ownMs / elapsedMs,
      serverCores: serverPid === null ? null : theirMs / elapsedMs,
      simulationCores: sum((report) => report.processorMs) / elapsedMs,
    };
  } finally {
    crowd.end();
    await pool.dispose();
    await rm(shards, { recursive: true });
  }
}

/**
 * Plays and records some jobs, and lets simulated workers, in other processes, return them over a NATS server to a real
 * coordinator in this one, which judges each and writes it to a temporary folder.
 *
 * @param onFigures called with the figures for each number of workers.
 * @throws TrainingError `pool-*`.
 */
export async function simulatePool(
  plan: SimulationPlan,
  onFigures: (figures: SimulationFigures) => void,
): Promise<RecordingFigures> {
  // Reports a server that cannot be reached before any game is played.
  await (await openPool(plan.url)).dispose();
  return withTemporaryFolder('gess-simulation-', async (folder) => {
    await mkdir(join(folder, 'recorded'));
    const recorded = await recordJobs(folder, plan.recordings, plan.games);
    const jobs = await planJobs(join(folder, 'recorded'), plan.recordings, plan.games);
    const judgingMs = await measureJudging(recorded, jobs);
    const meanMs = recorded.reduce((sum, { lengthMs }) => sum + lengthMs, 0) / recorded.length;
    const stretch = plan.jobSeconds === null ? 1 : (1000 * plan.jobSeconds) / meanMs;
    const stretched = recorded.map((job) => ({ ...job, lengthMs: stretch * job.lengthMs }));
    for (const workers of plan.workers)
      onFigures(await simulateWorkers(plan, workers, { folder, recorded: stretched }));
    const bytes = await Promise.all(recorded.map(async ({ path }) => (await stat(path)).size));
    const meanBytes = bytes.reduce((sum, each) => sum + each, 0) / bytes.length;
    return { jobSeconds: meanMs / 1000, jobBytes: meanBytes, judgingMs };
  });
}
