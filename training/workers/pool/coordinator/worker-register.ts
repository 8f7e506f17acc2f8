import type { PoolSummary } from '../../../statistics/pool-summary.js';
import type { WorkerIdentity } from '../wire/pool-messages.js';

/** The coordinator's record of a worker. */
export interface RegisteredWorker {
  readonly key: string;
  identity: WorkerIdentity;
  /** Ticks of the coordinator since its last message. */
  silentTicks: number;
  /** Its kernel fingerprints by the model's digest; the empty string stands for no model. */
  readonly fingerprints: Map<string, string>;
  /** Finished games of its current jobs, by job. */
  readonly running: Map<string, number>;
  /** Consecutive heartbeats that did not name a job of this worker, by job. */
  readonly missedBeats: Map<string, number>;
  /** Failed jobs: consecutive ones, and all since the coordinator started. */
  failuresInARow: number;
  failures: number;
  /** Since the coordinator started. */
  acceptedGames: number;
  acceptedJobs: number;
  evaluations: number;
  /** Why it gets no more jobs; null if it gets jobs. */
  suspension: string | null;
}

/** Consecutive failures after which a worker gets no more jobs. */
const MOST_FAILURES = 3;

/** Ticks of silence after which a worker counts as lost. */
const MOST_SILENT_TICKS = 6;

/** Consecutive heartbeats without a job after which the worker counts as having lost it. */
const MOST_MISSED_BEATS = 3;

/** Maximum number of workers that are remembered. */
const MOST_WORKERS = 10_000;

/** Whether a worker has sent a message recently. */
export function isPresent({ silentTicks }: RegisteredWorker): boolean {
  return silentTicks < MOST_SILENT_TICKS;
}

/** The workers that have asked for jobs, and those that are suspended. */
export class WorkerRegister {
  private readonly workers = new Map<string, RegisteredWorker>();

  /** All workers, including lost and suspended ones. */
  all(): readonly RegisteredWorker[] {
    return [...this.workers.values()];
  }

  /** Workers that have sent a message recently and get jobs. */
  present(): readonly RegisteredWorker[] {
    return this.all().filter((worker) => isPresent(worker) && worker.suspension === null);
  }

  /** Counts of the workers. */
  summary(): PoolSummary {
    const all = this.all();
    const present = this.present();
    return {
      workers: present.length,
      processes: present.reduce((sum, { identity }) => sum + identity.processes, 0),
      games: all.reduce((sum, { acceptedGames }) => sum + acceptedGames, 0),
      failures: all.reduce((sum, { failures }) => sum + failures, 0),
      suspended: all.filter(({ suspension }) => suspension !== null).length,
    };
  }

  find(key: string): RegisteredWorker | null {
    return this.workers.get(key) ?? null;
  }

  /** Records a worker's request for a job; null if no further worker can be remembered. */
  meet(key: string, identity: WorkerIdentity): RegisteredWorker | null {
    let worker = this.workers.get(key);
    if (worker === undefined) {
      if (this.workers.size >= MOST_WORKERS && !this.forget()) return null;
      worker = {
        key,
        identity,
        silentTicks: 0,
        fingerprints: new Map(),
        running: new Map(),
        missedBeats: new Map(),
        failuresInARow: 0,
        failures: 0,
        acceptedGames: 0,
        acceptedJobs: 0,
        evaluations: 0,
        suspension: null,
      };
      this.workers.set(key, worker);
    }
    worker.identity = identity;
    worker.silentTicks = 0;
    return worker;
  }

  /**
   * Records a heartbeat, which counts for the jobs that the worker was given.
   *
   * @returns the jobs that it no longer names.
   */
  beat(
    worker: RegisteredWorker,
    given: readonly string[],
    running: ReadonlyMap<string, number>,
  ): readonly string[] {
    worker.silentTicks = 0;
    worker.running.clear();
    const lost: string[] = [];
    const missed = new Map<string, number>();
    for (const id of given) {
      const games = running.get(id);
      if (games !== undefined) {
        worker.running.set(id, games);
        continue;
      }
      const times = (worker.missedBeats.get(id) ?? 0) + 1;
      if (times >= MOST_MISSED_BEATS) lost.push(id);
      else missed.set(id, times);
    }
    worker.missedBeats.clear();
    for (const [id, times] of missed) worker.missedBeats.set(id, times);
    return lost;
  }

  /** Records a tick; returns the workers that count as lost from this tick on. */
  tick(): readonly RegisteredWorker[] {
    const lost: RegisteredWorker[] = [];
    for (const worker of this.workers.values()) {
      worker.silentTicks += 1;
      if (worker.silentTicks !== MOST_SILENT_TICKS) continue;
      worker.running.clear();
      lost.push(worker);
    }
    return lost;
  }

  /** Records a failure; returns whether the worker is now suspended for it. */
  countFailure(worker: RegisteredWorker, message: string): boolean {
    worker.failures += 1;
    worker.failuresInARow += 1;
    if (worker.failuresInARow < MOST_FAILURES || worker.suspension !== null) return false;
    worker.suspension = `${MOST_FAILURES} jobs failed there one after another, the last one: ${message}`;
    return true;
  }

  /** Forgets a worker that is lost and not suspended; false if there is none. */
  private forget(): boolean {
    for (const { key, silentTicks, suspension } of this.workers.values()) {
      if (silentTicks >= MOST_SILENT_TICKS && suspension === null) return this.workers.delete(key);
    }
    return false;
  }
}
