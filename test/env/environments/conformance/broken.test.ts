import { describe, expect, test } from 'vitest';
import { FINDING_MEANINGS } from '../../../../env/environments/conformance/codes.js';
import { assertConforms } from '../../../../env/environments/conformance/conformance.js';
import { ConformanceError } from '../../../../env/environments/conformance/finding.js';
import { BROKEN_ENVIRONMENTS } from './broken-environments.js';
import { BROKEN_GAMES } from './broken-games.js';
import { BROKEN_TURN_ENVIRONMENTS } from './broken-turn-environments.js';
import { BROKEN_VECTORS } from './broken-vectors.js';

const BROKEN = {
  'a game': BROKEN_GAMES,
  'an environment for agents in turn': BROKEN_TURN_ENVIRONMENTS,
  'an environment for one agent': BROKEN_ENVIRONMENTS,
  'a vector': BROKEN_VECTORS,
};

describe.each(Object.entries(BROKEN))('%s in which', (_kind, cases) => {
  test.each(cases)('$fault: $code, and nothing else', ({ code, check }) => {
    const { findings } = check();
    expect(
      findings.map((finding) => finding.code),
      JSON.stringify(findings),
    ).toEqual([code]);
  });
});

test('each code is found in a broken subject', () => {
  const tripped = new Set(Object.values(BROKEN).flatMap((cases) => cases.map(({ code }) => code)));
  expect([...tripped].sort()).toEqual(Object.keys(FINDING_MEANINGS).sort());
});

test('a subject that does not conform throws all findings', () => {
  const report = BROKEN_GAMES[0]!.check();
  const attempt = (): void => {
    assertConforms(report);
  };
  expect(attempt).toThrow(ConformanceError);
  expect(attempt).toThrow(expect.objectContaining({ code: 'not-conforming', report, exitCode: 1 }));
  expect(attempt).toThrow(/^game-facts: expected 7 as product of policyShape, got 6$/);
});
