import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createGame } from '../../../../env/games.js';
import type { JobEffort } from '../../../self-play/job-effort.js';
import { TrainingError } from '../../../training-error.js';
import { refOf } from '../wire/content-stream.js';
import type { RemoteJob } from '../wire/pool-messages.js';
import { readTicket } from '../wire/pool-ticket.js';
import { ownIdentity } from '../wire/worker-identity.js';
import type { JobPlayer } from '../worker/job-player.js';
import { runPoolWorker } from '../worker/worker-run.js';
import type { PlayedJob } from '../worker/remote-play.js';
import { kernelFingerprint } from '../../../self-play/kernel-fingerprint.js';
import { processorMs, readRecording, type RecordedJob, type Recording, relabel } from './recorded-jobs.js';

/** Order for a process of simulated workers. */
export interface SimulationOrder {
  /** `nats://HOST:PORT`. */
  readonly url: string;
  readonly workers: number;
  readonly recorded: readonly RecordedJob[];
}

/** Measurements of a process of simulated workers. */
export interface SimulationReport {
  readonly jobs: number;
  /** Sums over its workers, in ms: playing, and between the end of a job and the beginning of the next. */
  readonly playingMs: number;
  readonly betweenMs: number;
  /** Of this process. */
  readonly processorMs: number;
}

/** Plays a job by waiting as long as its recording took, then returns the recorded games. */
class RecordedPlayer implements JobPlayer {
  private readonly recordings: readonly Recording[];
  private readonly fingerprintOf: () => Promise<string>;
  private readonly effort: JobEffort = { seconds: 1, networkEvaluations: 0, cacheHits: 0 };
  private endedMs: number | null = null;
  jobs = 0;
  playingMs = 0;
  betweenMs = 0;

  constructor(recordings: readonly Recording[], fingerprintOf: () => Promise<string>) {
    this.recordings = recordings;
    this.fingerprintOf = fingerprintOf;
  }

  async play(_id: string, job: RemoteJob, onGames: (games: number) => void): Promise<PlayedJob> {
    if (job.kind !== 'shard') throw new Error('expected a job of self-play');
    const startMs = performance.now();
    if (this.endedMs !== null) this.betweenMs += startMs - this.endedMs;
    const { recordings } = this;
    const recording = recordings[Math.round(job.firstGame / job.games) % recordings.length]!;
    const content = relabel(recording, job);
    await delay(Math.max(0, recording.lengthMs - (performance.now() - startMs)));
    onGames(job.games);
    this.endedMs = performance.now();
    this.jobs += 1;
    this.playingMs += this.endedMs - startMs;
    const games = [...recording.games];
    return { outcome: { kind: 'shard', content: await refOf(content), games, effort: this.effort }, content };
  }

  fingerprint(): Promise<string> {
    return this.fingerprintOf();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}

/** Tries again while the server does not answer in time: hundreds connect at once. */
async function untilConnected<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof TrainingError && error.code === 'pool-unreachable')) throw error;
    }
  }
}

async function simulate(order: SimulationOrder, signal: AbortSignal): Promise<SimulationReport> {
  const own = kernelFingerprint(createGame('gess', 'eureka'), null);
  const recordings = await Promise.all(order.recorded.map(readRecording));
  const players = Array.from({ length: order.workers }, () => new RecordedPlayer(recordings, () => own));
  setMaxListeners(0, signal);
  const runs: Promise<unknown>[] = [];
  for (const player of players) {
    const ticket = await readTicket(order.url);
    await new Promise<void>((resolve) => {
      const options = {
        processes: 1,
        player,
        signal,
        identity: ownIdentity(1),
        onMessage: () => {
          resolve();
        },
      };
      runs.push(untilConnected(() => runPoolWorker(ticket, options)));
    });
  }
  await Promise.all(runs);
  const sum = (read: (player: RecordedPlayer) => number): number =>
    players.reduce((total, player) => total + read(player), 0);
  return {
    jobs: sum(({ jobs }) => jobs),
    playingMs: sum(({ playingMs }) => playingMs),
    betweenMs: sum(({ betweenMs }) => betweenMs),
    processorMs: processorMs(),
  };
}

// A process of pool-simulation.ts: its first message is the order, any further one ends it, and so does the end of the
// process that started it.
const end = new AbortController();
process.once('disconnect', () => process.exit());
process.once('message', (order: SimulationOrder) => {
  process.once('message', () => {
    end.abort();
  });
  void simulate(order, end.signal).then((report) => {
    process.send!(report, () => {
      process.disconnect();
    });
  });
});
