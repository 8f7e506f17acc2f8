import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lambdaValues } from '../../../data/shards/lambda-values.js';
import type { Sample } from '../../../data/shards/sample.js';
import { sampleArbitrary } from '../sample-arbitrary.js';

/** Rows of a game with some plies left out; the player follows from the ply. */
const game = fc
  .record({
    rows: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), sampleArbitrary), { minLength: 1, maxLength: 8 }),
    outcome: fc.constantFrom<(-1 | 0 | 1 | null)[]>(-1, 0, 1, null),
    gameId: fc.nat(9),
  })
  .map(({ rows, outcome, gameId }) => {
    let ply = 0;
    const plies = rows.map(([step]) => (ply += step));
    return rows.map(([, sample], index): Sample => {
      const player = plies[index]! % 2 === 0 ? 0 : 1;
      const result = outcome === null ? null : player === 0 ? outcome : ((0 - outcome) as -1 | 0 | 1);
      return { ...sample, gameId, ply: plies[index]!, player, result, pliesLeft: ply + 2 - plies[index]! };
    });
  });

const searched = game.map((rows) => rows.map((row) => ({ ...row, rootValue: row.rootValue ?? 0.5 })));

describe('mixed values', () => {
  test('are the root values with lambda 0', () => {
    fc.assert(
      fc.property(searched, (rows) => {
        expect(lambdaValues(rows, 0)).toEqual(rows.map(({ rootValue }) => rootValue));
      }),
    );
  });

  test('are the results with lambda 1, and without a result the last root value before a missing row', () => {
    fc.assert(
      fc.property(searched, (rows) => {
        const expected = rows.map(({ result, player }, index) => {
          if (result !== null) return result + 0;
          const last = rows.find(({ ply }, later) => later >= index && rows[later + 1]?.ply !== ply + 1)!;
          return (player === last.player ? last.rootValue : -last.rootValue) + 0;
        });
        expect(lambdaValues(rows, 1).map((value) => value! + 0)).toEqual(expected);
      }),
    );
  });

  test('lie between the least and the greatest known value, to the same player', () => {
    fc.assert(
      fc.property(game, fc.double({ min: 0, max: 1, noNaN: true }), (rows, lambda) => {
        const toFirst = ({ player }: Sample, value: number): number => (player === 0 ? value : -value);
        const known = rows.flatMap((row) =>
          [row.rootValue, row.result].flatMap((value) => (value === null ? [] : [toFirst(row, value)])),
        );
        for (const [index, value] of lambdaValues(rows, lambda).entries()) {
          if (value === null) continue;
          expect(toFirst(rows[index]!, value)).toBeGreaterThanOrEqual(Math.min(...known) - 1e-9);
          expect(toFirst(rows[index]!, value)).toBeLessThanOrEqual(Math.max(...known) + 1e-9);
        }
      }),
    );
  });

  test('of a game do not depend on adjacent games', () => {
    fc.assert(
      fc.property(game, game, (a, b) => {
        const other = b.map((row) => ({ ...row, gameId: 10 }));
        expect(lambdaValues([...a, ...other], 0.5)).toEqual([
          ...lambdaValues(a, 0.5),
          ...lambdaValues(other, 0.5),
        ]);
      }),
    );
  });

  test('match a calculation by hand: weights decay by lambda a ply, signs follow the player', () => {
    const [sample] = fc.sample(sampleArbitrary, { numRuns: 1, seed: 1 });
    const row = (ply: number, rootValue: number | null, result: -1 | 1): Sample => {
      return { ...sample!, gameId: 1, ply, player: ply === 1 ? 1 : 0, rootValue, result, pliesLeft: 4 - ply };
    };
    const rows = [row(0, 0.2, 1), row(1, null, -1), row(3, 0.6, 1)];
    // The last row: half 0.6, half 1. The row before has no root value: the negative of that. The first: half 0.2, half
    // 0.8.
    expect(lambdaValues([rows[2]!], 0.5)).toEqual([0.8]);
    const found = lambdaValues(rows, 0.5);
    expect(found[2]).toBeCloseTo(0.8, 12);
    expect(found[1]).toBeCloseTo(-0.8, 12);
    expect(found[0]).toBeCloseTo(0.5, 12);
  });

  test('do not reach beyond a random move, after which rows have the result that earlier ones lack', () => {
    const row = { ...fc.sample(sampleArbitrary, { numRuns: 1, seed: 1 })[0]!, gameId: 1 };
    const rows: Sample[] = [
      { ...row, ply: 4, player: 0, rootValue: 0.25, result: null, pliesLeft: 4 },
      { ...row, ply: 6, player: 0, rootValue: -0.5, result: -1, pliesLeft: 2 },
      { ...row, ply: 7, player: 1, rootValue: 1, result: 1, pliesLeft: 1 },
    ];
    expect(lambdaValues(rows, 1)).toEqual([0.25, -1, 1]);
    expect(lambdaValues([{ ...rows[0]!, rootValue: null }, ...rows.slice(1)], 1)).toEqual([null, -1, 1]);
  });
});
