import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeProblems, EXPLAINED } from '../../env/problems-text.js';

const SETTINGS = z.strictObject({
  name: z.string().min(1).max(3).optional(),
  simulations: z.int().min(1).max(64).optional(),
  isRing: z.boolean().optional(),
  agents: z.array(z.string()).min(2).optional(),
  search: z.object({}).optional(),
  root: z.enum(['puct', 'gumbel']).optional(),
  window: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('rows').default('rows') }),
      z.strictObject({ kind: z.literal('power'), exponent: z.number() }),
    ])
    .optional(),
  symmetries: z.union([z.boolean(), z.literal('sides')]).optional(),
  plane: z.union([z.number(), z.array(z.array(z.number()))]).optional(),
  openings: z
    .union([z.strictObject({ book: z.string() }), z.strictObject({ plies: z.int().min(0) })])
    .optional(),
  version: z.literal(1).optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
  pairs: z.int().min(0).multipleOf(2).optional(),
  key: z
    .string()
    .regex(/^U[A-Z]+$/)
    .optional(),
});

test.each([
  [{ name: '' }, 'expected at least 1 character; got 0, at name'],
  [{ name: 'long' }, 'expected at most 3 characters; got 4, at name'],
  [{ name: 3 }, 'expected a text; got 3, at name'],
  [{ simulations: 65 }, 'expected a whole number from 1 to 64; got 65, at simulations'],
  [{ simulations: {} }, 'expected a whole number from 1 to 64; got an object, at simulations'],
  [{ simulations: true }, 'expected a whole number from 1 to 64; got true, at simulations'],
  [{ isRing: 'yes' }, "expected true or false; got 'yes', at isRing"],
  [{ agents: ['random'] }, 'expected at least 2 entries; got 1, at agents'],
  [{ agents: 'random' }, "expected a list; got 'random', at agents"],
  [{ search: [] }, 'expected an object; got a list, at search'],
  [{ search: null }, 'expected an object; got null, at search'],
  [{ root: 'putc' }, "expected one of puct, gumbel; got 'putc'; did you mean 'puct'?, at root"],
  [
    { window: { kind: 'powr' } },
    "expected one of rows, power; got 'powr'; did you mean 'power'?, at window.kind",
  ],
  [{ window: { kind: 3 } }, 'expected one of rows, power; got 3, at window.kind'],
  [{ window: { kind: 'toString' } }, "expected one of rows, power; got 'toString', at window.kind"],
  [{ symmetries: 'yes' }, "expected true or false, or 'sides'; got 'yes', at symmetries"],
  [{ plane: 'a' }, "expected a number, or a list; got 'a', at plane"],
  [{ plane: [[1], [2, null]] }, 'expected a number; got null, at plane[1][1]'],
  [{ openings: { plies: -1 } }, 'expected a whole number from 0 up; got -1, at openings.plies'],
  [{ version: 2 }, 'expected 1; got 2, at version'],
  [{ version: {} }, 'expected 1; got an object, at version'],
  [{ version: '1' }, "expected 1; got the text '1', at version"],
  [{ range: 5 }, 'expected a list; got 5, at range'],
  [{ range: [1, 2, 3] }, 'expected at most 2 entries; got 3, at range'],
  [{ pairs: 3 }, 'expected a multiple of 2; got 3, at pairs'],
  [{ key: 'secret' }, 'expected a text that matches /^U[A-Z]+$/, at key'],
  [{ rot: 'puct' }, "unknown key 'rot'; did you mean 'root'?"],
])('the problem of %j is told in words of the program', (value, text) => {
  const { error } = SETTINGS.safeParse(value, EXPLAINED);
  expect(describeProblems(error!)).toBe(text);
});

test('a list of very many wrong numbers is refused in time', () => {
  const before = process.cpuUsage();
  const { error } = z.array(z.int().min(0)).safeParse(new Array<string>(200_000).fill(''), EXPLAINED);
  expect(describeProblems(error!)).toMatch(
    /^expected a whole number from 0 up; got '', at \[0\].*199990 more$/,
  );
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(4);
});
