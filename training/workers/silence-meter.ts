/** How long a process that has a job may show no sign of life before it is taken to hang. Of this process's own time. */
export interface SilenceLimits {
  /** In ms: silent and without any processor time, as one that is stopped or waits for itself. */
  readonly idleLimitMs: number;
  /** In ms: silent but at work, as in one very long search, or in a loop without an end. */
  readonly busyLimitMs: number;
}

/** Looks within the shorter limit. */
const TICKS = 12;

/**
 * Measures how long a process has been silent, by ticks of a timer of this process and not by any clock. So the time in which
 * this process itself was stopped, asleep with the machine or busy does not count, nor do jumps of the clock.
 */
export class SilenceMeter {
  /** How often `tick` is to be called, in ms. */
  readonly tickMs: number;
  private readonly limits: SilenceLimits;
  private readonly processorTicks: () => number | null;
  /** Since the last sign of life. */
  private silentTicks = 0;
  /** Of these the last ones, without processor time. */
  private idleTicks = 0;
  private lastProcessorTicks: number | null = null;

  /** @param processorTicks of the process, in any unit; null where it cannot be told: then it counts as at work. */
  constructor(limits: SilenceLimits, processorTicks: () => number | null) {
    this.limits = limits;
    this.processorTicks = processorTicks;
    this.tickMs = Math.min(limits.idleLimitMs, limits.busyLimitMs) / TICKS;
  }

  /** Whether the last question was answered, so that the next is not one of many. */
  get isToBeAsked(): boolean {
    return this.silentTicks === 0;
  }

  /** A sign of life. */
  heard(): void {
    this.silentTicks = 0;
    this.idleTicks = 0;
  }

  /** A time `tickMs` has gone by; for how long the process was silent where that is too long, in words; else null. */
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
