/** Limits on the silence of a process with a job, after which it counts as hanging, in the time of this process. */
export interface SilenceLimits {
  /** In ms: silent without any processor time, like a process that is stopped or deadlocked. */
  readonly idleLimitMs: number;
  /** In ms: silent but busy, as in one very long search or an endless loop. */
  readonly busyLimitMs: number;
}

/** Ticks within the shorter limit. */
const TICKS = 12;

/**
 * Measures how long a process has been silent by the ticks of a timer of this process, not by a clock. So neither jumps of
 * the clock count nor the time in which this process itself was stopped, busy, or asleep with the machine.
 */
export class SilenceMeter {
  /** Interval at which `tick` must be called, in ms. */
  readonly tickMs: number;
  private readonly limits: SilenceLimits;
  private readonly processorTicks: () => number | null;
  /** Ticks since the last sign of life. */
  private silentTicks = 0;
  /** The most recent of these ticks that passed without processor time. */
  private idleTicks = 0;
  private lastProcessorTicks: number | null = null;

  /** @param processorTicks of the process, in any unit; null if unknown: the process then counts as busy. */
  constructor(limits: SilenceLimits, processorTicks: () => number | null) {
    this.limits = limits;
    this.processorTicks = processorTicks;
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
    const now = this.processorTicks();
    const isIdle = now !== null && now === this.lastProcessorTicks;
    this.lastProcessorTicks = now;
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
