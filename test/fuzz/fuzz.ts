import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** Number of inputs for each target if FUZZ_RUNS is set; undefined in a plain `npm test`. */
const manyRuns = process.env['FUZZ_RUNS'] === undefined ? undefined : Number(process.env['FUZZ_RUNS']);
/**
 * Seed of the pools of valid inputs, and of the first portion of inputs; each later portion adds 1. Always the same in
 * a plain `npm test`.
 */
export const firstSeed = Number(
  process.env['FUZZ_SEED'] ?? (manyRuns === undefined ? 1 : Math.floor(Math.random() * 2 ** 30)),
);
/**
 * Inputs of a portion; between portions the test process responds to its parent, which would otherwise consider it
 * dead.
 */
const PORTION = 1000;
const TIME_LIMIT_MS = manyRuns === undefined ? 60_000 : 3_600_000;

/** Longest time for one input in a run that asks for many; longer is a hang. */
const HANG_MS = 2000;

/** The inputs of a target, and the law that they must satisfy. */
export interface FuzzTarget<Input> {
  readonly input: fc.Arbitrary<Input>;
  /** Throws if the law is violated; returns whether the input was accepted. */
  readonly law: (input: Input) => boolean | Promise<boolean>;
  /** Number of inputs in a plain `npm test`. */
  readonly runs: number;
}

/**
 * Tests a law on many hostile inputs: `runs` of them, or `FUZZ_RUNS`. A failure prints its seed, which `FUZZ_SEED`
 * repeats. Both accepted and refused inputs must occur; otherwise the target would test nothing.
 */
export function fuzz<Input>(name: string, { input, law, runs }: FuzzTarget<Input>): void {
  const tally = { taken: 0, refused: 0, hangs: 0, slowestMs: 0 };
  const property = fc.asyncProperty(input, async (value) => {
    // Processor time: the machine may be busy with something else.
    const before = process.cpuUsage();
    if (await law(value)) tally.taken += 1;
    else tally.refused += 1;
    const { user, system } = process.cpuUsage(before);
    const tookMs = (user + system) / 1000;
    tally.slowestMs = Math.max(tally.slowestMs, tookMs);
    if (tookMs > HANG_MS) tally.hangs += 1;
  });
  const total = manyRuns ?? runs;
  test(
    name,
    async () => {
      for (let done = 0; done < total; done += PORTION) {
        const seed = firstSeed + done / PORTION;
        await fc.assert(property, { seed, numRuns: Math.min(PORTION, total - done) });
        await setImmediate();
      }
      if (manyRuns !== undefined) {
        const { taken, refused, hangs, slowestMs } = tally;
        // An error without a code fails the law, and so the target.
        console.log(
          `${name}: ${taken + refused} inputs, ${taken} taken, ${refused} refused, 0 uncoded, ${hangs} hangs, ` +
            `slowest ${Math.round(slowestMs)} ms, peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB, seed ${firstSeed}`,
        );
        expect(hangs).toBe(0);
      }
      expect(tally.taken).toBeGreaterThan(0);
      expect(tally.refused).toBeGreaterThan(0);
    },
    TIME_LIMIT_MS,
  );
}
