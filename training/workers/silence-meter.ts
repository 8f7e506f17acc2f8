/** Limits on the silence of a process with a job, beyond which it counts as hanging; measured in this process. */
export interface SilenceLimits {
  /** Limit in ms without any processor time, as in a process that is stopped or deadlocked. */
  readonly idleLimitMs: number;
  /** Limit in ms while busy, as in one very long search or an endless loop. */
  readonly busyLimitMs: number;
}

/** Ticks within the shorter limit. */
const TICKS = 12;

/**
 * Measures how long a process has been silent by the ticks of a timer in this process instead of a clock. So jumps of
 * the clock do not count, and neither does the time in which this process was stopped or busy, or the machine was
 * asleep.
 */
export class SilenceMeter {
  /** Interval at which `tick` must be called, in ms. */
  readonly tickMs: number;
  private readonly limits: SilenceLimits;
  private readonly processorTime: () => number | null;
  /** Ticks since the last sign of life. */
  private silentTicks = 0;
  /** Number of the most recent ticks without processor time. */
  private idleTicks = 0;
  private lastProcessorTime: number | null = null;

  /** @param processorTime the process's processor time in any unit; null if unknown, which counts as busy. */
  constructor(limits: SilenceLimits, processorTime: () => number | null) {
    this.limits = limits;
    this.processorTime = processorTime;
    this.tickMs = Math.min(limits.idleLimitMs, limits.busyLimitMs) / TICKS;
  }

  /** Whether the last ping was answered, so that pings do not pile up. */
  get isPingDue(): boolean {
    return this.silentTicks === 0;
  }

  /** Records a sign of life. */
  heard(): void {
    this.silentTicks = 0;
    this.idleTicks = 0;
  }

  /**
   * Records that `tickMs` have passed.
   *
   * @returns a description of the silence if it has lasted too long, else null.
   */
  tick(): string | null {
    const now = this.processorTime();
    const isIdle = now !== null && now === this.lastProcessorTime;
    this.lastProcessorTime = now;
    this.silentTicks += 1;
    this.idleTicks = isIdle ? this.idleTicks + 1 : 0;
    const seconds = (ticks: number): string => `${((ticks * this.tickMs) / 1000).toPrecision(3)} s`;
    if (this.idleTicks * this.tickMs >= this.limits.idleLimitMs) {
      return `showed no sign of life and used no processor time for ${seconds(this.idleTicks)}, and was killed`;
    }
    if (this.silentTicks * this.tickMs >= this.limits.busyLimitMs) {
      return `showed no sign of life for ${seconds(this.silentTicks)}, and was killed`;
    }
    return null;
  }
}
