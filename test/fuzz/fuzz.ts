import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** Inputs a target tries in a run that asks for many; undefined in a plain `npm test`. */
const manyRuns = process.env['FUZZ_RUNS'] === undefined ? undefined : Number(process.env['FUZZ_RUNS']);
/**
 * Seed of the pools of valid inputs, and of the first portion of inputs; the following portions count on from it. Always
 * the same in a plain `npm test`.
 */
export const firstSeed = Number(
  process.env['FUZZ_SEED'] ?? (manyRuns === undefined ? 1 : Math.floor(Math.random() * 2 ** 30)),
);
/** Between portions the test process answers its parent, which else takes it for dead. */
const PORTION = 1000;
const TIME_LIMIT_MS = manyRuns === undefined ? 60_000 : 3_600_000;

/** What a target tries, and what must hold. */
export interface FuzzTarget<Input> {
  readonly input: fc.Arbitrary<Input>;
  /** Throws where something is wrong; says whether the input was taken. */
  readonly law: (input: Input) => boolean | Promise<boolean>;
  /** Inputs in a plain `npm test`. */
  readonly runs: number;
}

/**
 * Tests a law on many hostile inputs: `runs` of them, or as many as `FUZZ_RUNS` says. What fails says with
 * which seed: `FUZZ_SEED` repeats it. Both kinds must occur, inputs that are taken and inputs that are refused, or the
 * target would try nothing.
 */
export function fuzz<Input>(name: string, { input, law, runs }: FuzzTarget<Input>): void {
  const tally = { taken: 0, refused: 0 };
  const property = fc.asyncProperty(input, async (value) => {
    if (await law(value)) tally.taken += 1;
    else tally.refused += 1;
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
        const { taken, refused } = tally;
        console.log(
          `${name}: ${taken + refused} inputs, ${taken} taken, ${refused} refused, seed ${firstSeed}`,
        );
      }
      expect(tally.taken).toBeGreaterThan(0);
      expect(tally.refused).toBeGreaterThan(0);
    },
    TIME_LIMIT_MS,
  );
}
