import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { createGame } from '../../../env/games.js';
import { testEngine } from '../../../scripts/engine/compliance-run.js';
import { processesWith } from '../../env/processes/running.js';

const ENGINE = resolve(import.meta.dirname, '..', '..', 'fixtures', 'connect-four-engine.py');
const game = createGame('connect-four');

/** Names of the checks that an engine fails. */
async function failures(fault: string): Promise<readonly string[]> {
  const results = await testEngine(`exec python3 ${ENGINE} ${fault}`, game);
  return results.filter((result) => result.fault !== undefined).map(({ name }) => name);
}

test('an engine in Python meets all requirements', async () => {
  expect(await failures('')).toEqual([]);
});

/** Planted faults, and a word of the check that names each. */
const FAULTS: Readonly<Record<string, string>> = {
  nameless: 'uci',
  'untyped-option': 'uci',
  'skips-last-move': 'finished game',
  'ignores-text': 'set by text',
  'wild-score': 'score',
  'illegal-variation': 'information has legal moves',
  'other-variation': 'begins with bestmove',
  slow: 'movetime',
  impatient: 'waits for stop',
  deaf: 'answers isready',
  'slow-stop': 'waits for stop',
  unstoppable: 'waits for stop',
  'answers-twice': 'one bestmove',
  'moves-after-end': 'finished game',
  remembers: 'ucinewgame',
  crashes: 'change nothing',
  stays: 'quit',
  'bad-exit': 'quit',
  'outlives-input': 'end of the input',
};

describe.runIf(isLong)('a planted fault is caught', () => {
  // Most of their time is waiting.
  test.concurrent.each(Object.entries(FAULTS))('%s', { timeout: 120_000 }, async (fault, name) => {
    const failed = await failures(fault);
    expect(
      failed.some((check) => check.includes(name)),
      failed.join('; '),
    ).toBe(true);
  });
});

test(
  'a program that is not an engine fails at once and leaves no process',
  { timeout: 120_000 },
  async () => {
    const mark = `mark-${process.pid}-child`;
    // What it has started in the background must end with it.
    const child = `sh -c 'sleep 1000; : ${mark}'`;
    const results = await testEngine(`${child} & echo no luck >&2; exit 3`, game);
    const [first, ...others] = results.map(({ fault }) => fault);
    expect(first).toContain("exit code 3, signal none); it said 'no luck'");
    expect(others).toEqual(Array.from(others, () => "the engine does not answer 'uci'"));
    await expect.poll(() => processesWith(mark), { timeout: 30_000 }).toEqual([]);
  },
);

test.runIf(isLong)('a program that only echoes is not asked again', { timeout: 30_000 }, async () => {
  const [first, ...others] = await testEngine('cat', game);
  expect(first!.fault).toContain("its last line was 'uci'");
  expect(others.map(({ fault }) => fault)).toEqual(others.map(() => "the engine does not answer 'uci'"));
});
