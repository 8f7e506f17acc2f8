import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { childPeakMiB, ownPeakMiB, processorMs } from './process-usage.js';

/** The number in an environment variable; undefined if the variable is not set. */
function numberIn(name: string): number | undefined {
  const text = process.env[name];
  return text === undefined ? undefined : Number(text);
}

/** Seconds of wall-clock time after which a target gets no further input. */
const seconds = numberIn('FUZZ_SECONDS');
/** Number of inputs for each target of `npm run fuzz`; undefined in a plain `npm test`, which sets no variable. */
const manyRuns =
  numberIn('FUZZ_RUNS') ??
  (seconds === undefined ? (process.env['FUZZ'] === undefined ? undefined : 20_000) : Infinity);
/** Whether this is `npm test`, which uses a few inputs that are always the same. */
const isPlain = manyRuns === undefined;
/** Seed of the pools of valid inputs, and of the first portion of inputs; each later portion adds 1. */
export const firstSeed = numberIn('FUZZ_SEED') ?? (isPlain ? 1 : Math.floor(Math.random() * 2 ** 30));
/**
 * Inputs per portion; between portions the test process responds to its parent, which would otherwise think it dead.
 */
const PORTION = 1000;
const TIME_LIMIT_MS = isPlain ? 60_000 : 1000 * (seconds ?? 0) + 3_600_000;

/** Longest processor time for one input in a run that asks for many inputs; more counts as a hang. */
const HANG_MS = 2000;
/** Most memory in MiB of this process, and of each process that it starts, in a run that asks for many inputs. */
const MAX_MIB = 1024;
/** Interval at which the memory of other processes is measured. */
const WATCH_MS = 50;

/** The inputs of a target, and the law that they must satisfy. */
export interface FuzzTarget<Input> {
  readonly input: fc.Arbitrary<Input>;
  /** Throws if the law is violated; returns whether the input was accepted. */
  readonly law: (input: Input) => boolean | Promise<boolean>;
  /** Number of inputs with LONG_TESTS=1; a plain `npm test` takes a third of them. */
  readonly runs: number;
}

/** The counts of a target's runs. */
class Tally {
  private taken = 0;
  private refused = 0;
  private hangs = 0;
  private slowestMs = 0;
  private childMiB = 0;

  /** Measures the law on one input. */
  async count(law: () => boolean | Promise<boolean>): Promise<void> {
    const before = processorMs();
    if (await law()) this.taken += 1;
    else this.refused += 1;
    const tookMs = processorMs() - before;
    this.slowestMs = Math.max(this.slowestMs, tookMs);
    if (tookMs > HANG_MS) this.hangs += 1;
  }

  measureChildren(): void {
    this.childMiB = Math.max(this.childMiB, childPeakMiB());
  }

  /** Both accepted and refused inputs must occur; otherwise the target would test nothing. */
  check(): void {
    expect(this.taken).toBeGreaterThan(0);
    expect(this.refused).toBeGreaterThan(0);
    if (isPlain) return;
    expect(this.hangs).toBe(0);
    expect(ownPeakMiB()).toBeLessThan(MAX_MIB);
    expect(this.childMiB).toBeLessThan(MAX_MIB);
  }

  /** Prints the counts. "0 uncoded" always holds, since an error without a code fails the law and the target. */
  print(name: string): void {
    const { taken, refused, hangs, slowestMs, childMiB } = this;
    const peaks = [ownPeakMiB(), ...(childMiB > 0 ? [childMiB] : [])].map((peak) => `${Math.ceil(peak)} MiB`);
    console.log(
      `${name}: ${taken + refused} inputs, ${taken} taken, ${refused} refused, 0 uncoded, ${hangs} hangs, ` +
        `slowest ${Math.round(slowestMs)} ms, peak ${peaks.join(' and ')}, seed ${firstSeed}`,
    );
  }
}

/**
 * Tests a law on many hostile inputs: `runs` of them, or `FUZZ_RUNS`, or as many as `FUZZ_SECONDS` allows. A failure
 * prints its seed, and `FUZZ_SEED` repeats it.
 */
export function fuzz<Input>(name: string, { input, law, runs }: FuzzTarget<Input>): void {
  const total = manyRuns ?? (isLong ? runs : Math.ceil(runs / 3));
  test(
    name,
    async () => {
      const tally = new Tally();
      const endMs = performance.now() + 1000 * (seconds ?? Infinity);
      const isOver = (): boolean => performance.now() >= endMs;
      const property = fc.asyncProperty(input, async (value) => {
        if (!isOver()) await tally.count(() => law(value));
      });
      const watch = setInterval(() => {
        tally.measureChildren();
      }, WATCH_MS);
      try {
        for (let done = 0; done < total && !isOver(); done += PORTION) {
          const seed = firstSeed + done / PORTION;
          await fc.assert(property, { seed, numRuns: Math.min(PORTION, total - done) });
          await setImmediate();
        }
      } finally {
        clearInterval(watch);
      }
      if (!isPlain) tally.print(name);
      tally.check();
    },
    TIME_LIMIT_MS,
  );
}
