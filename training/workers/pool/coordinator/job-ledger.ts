/** A player that has a job, and since when, in ms of `performance.now()`. */
interface Lease {
  readonly holder: string;
  readonly sinceMs: number;
  /** Whether its result has arrived and waits to be judged. */
  isDelivered: boolean;
}

/**
 * A job may have a second player when its first one has it for longer than this, or than twice the longest job so far.
 */
const SECOND_PLAYER_MS = 10_000;

/** Maximum number of players of a job at a time. */
const MOST_HOLDERS = 2;

/** Number of players at which a job may fail before only this machine plays it. */
export const MOST_FAILED_PLAYERS = 3;

/**
 * Tracks the players of a batch's jobs, and the finished jobs. Jobs go out in order; those of a lost player go out
 * again. When no other job waits, a job that takes long goes to a second player, so that no machine holds up the rest.
 */
export class JobLedger {
  /** Number of jobs. */
  readonly size: number;
  private readonly waiting: number[];
  private readonly leases = new Map<number, Lease[]>();
  /** Jobs by player. */
  private readonly held = new Map<string, Set<number>>();
  private readonly done = new Set<number>();
  /** By job, the players at which it failed. */
  private readonly failures = new Map<number, Set<string>>();
  private longestMs = 0;
  private listeners: (() => void)[] = [];

  constructor(size: number) {
    this.size = size;
    this.waiting = Array.from({ length: size }, (_, index) => index);
  }

  /** Whether all jobs are done. */
  get isDone(): boolean {
    return this.done.size === this.size;
  }

  /** Number of jobs that are done. */
  get doneJobs(): number {
    return this.done.size;
  }

  /** Number of open jobs that have no player. */
  get waitingJobs(): number {
    return this.waiting.length;
  }

  /** Number of jobs that have a player. */
  get playedJobs(): number {
    return this.leases.size;
  }

  /** Whether a job is done. */
  isDoneJob(index: number): boolean {
    return this.done.has(index);
  }

  /** Jobs of a player, including those whose results wait to be judged. */
  jobsOf(holder: string): readonly number[] {
    return [...(this.held.get(holder) ?? [])];
  }

  /** Jobs of a player whose results have not arrived. */
  playedBy(holder: string): readonly number[] {
    return this.jobsOf(holder).filter((index) => this.leaseOf(index, holder)?.isDelivered === false);
  }

  /** Records that a player's result has arrived, so that nobody else begins the job while it is judged. */
  deliver(index: number, holder: string): void {
    const lease = this.leaseOf(index, holder);
    if (lease !== undefined) lease.isDelivered = true;
  }

  /**
   * Gives a player a job; null if there is none for it now.
   *
   * @param canPlay whether it can play a job; by default all.
   */
  take(holder: string, canPlay: (index: number) => boolean = () => true): number | null {
    const isFor = (index: number): boolean =>
      this.failures.get(index)?.has(holder) !== true && canPlay(index);
    const at = this.waiting.findIndex(isFor);
    const index = at >= 0 ? this.waiting.splice(at, 1)[0]! : this.slowJob(holder, isFor);
    if (index === null) return null;
    const lease = { holder, sinceMs: performance.now(), isDelivered: false };
    this.leases.set(index, [...(this.leases.get(index) ?? []), lease]);
    this.held.set(holder, (this.held.get(holder) ?? new Set()).add(index));
    return index;
  }

  /** Records that a job is done; returns false if it already was. */
  finish(index: number): boolean {
    if (this.done.has(index)) return false;
    for (const { sinceMs, holder } of this.leases.get(index) ?? []) {
      this.longestMs = Math.max(this.longestMs, performance.now() - sinceMs);
      this.held.get(holder)?.delete(index);
    }
    this.leases.delete(index);
    const at = this.waiting.indexOf(index);
    if (at >= 0) this.waiting.splice(at, 1);
    this.done.add(index);
    this.notify();
    return true;
  }

  /** Takes a job from a player: it waits again, unless another one has it or it is done. */
  release(index: number, holder: string): void {
    this.held.get(holder)?.delete(index);
    const left = (this.leases.get(index) ?? []).filter((lease) => lease.holder !== holder);
    if (left.length > 0) {
      this.leases.set(index, left);
      return;
    }
    if (this.leases.delete(index)) this.wait(index);
  }

  /** Takes all jobs from a player. */
  releaseAll(holder: string): void {
    for (const index of this.jobsOf(holder)) this.release(index, holder);
  }

  /** Records that a job failed at a player, which does not get it again; returns at how many players it has failed. */
  fail(index: number, holder: string): number {
    const players = this.failures.get(index) ?? new Set();
    players.add(holder);
    this.failures.set(index, players);
    this.release(index, holder);
    return players.size;
  }

  /** Number of players at which a job has failed. */
  failedPlayers(index: number): number {
    return this.failures.get(index)?.size ?? 0;
  }

  /** Reopens a finished job. */
  reopen(index: number): void {
    if (this.done.delete(index)) this.wait(index);
  }

  /** Resolves at the next change after which a player may get a job or all are done. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.listeners.push(resolve));
  }

  /** Wakes everyone who waits for a change, such as at a tick. */
  notify(): void {
    const { listeners } = this;
    this.listeners = [];
    for (const listener of listeners) listener();
  }

  private leaseOf(index: number, holder: string): Lease | undefined {
    return this.leases.get(index)?.find((lease) => lease.holder === holder);
  }

  private wait(index: number): void {
    this.waiting.push(index);
    this.waiting.sort((a, b) => a - b);
    this.notify();
  }

  /** The overdue job that a single other player has had longest. */
  private slowJob(holder: string, isFor: (index: number) => boolean): number | null {
    const limitMs = Math.max(SECOND_PLAYER_MS, 2 * this.longestMs);
    let slowest: { readonly index: number; readonly sinceMs: number } | null = null;
    for (const [index, all] of this.leases) {
      const isOwn = all.some((lease) => lease.holder === holder);
      const isDelivered = all.some((lease) => lease.isDelivered);
      if (isOwn || isDelivered || all.length >= MOST_HOLDERS || !isFor(index)) continue;
      if (performance.now() - all[0]!.sinceMs < limitMs) continue;
      if (slowest === null || all[0]!.sinceMs < slowest.sinceMs)
        slowest = { index, sinceMs: all[0]!.sinceMs };
    }
    return slowest?.index ?? null;
  }
}

/** The player that represents the coordinator's own processes. */
export const LOCAL_PLAYER = 'local';
