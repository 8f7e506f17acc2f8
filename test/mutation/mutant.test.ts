import { describe, expect, test } from 'vitest';
import { readVerdict } from './mutant.js';

/** A report of two files, the second of which has one failed test with this message. */
function reportOf(failure: string | null): string {
  const result = (fullName: string, message: string | null): object => ({
    fullName,
    status: message === null ? 'passed' : 'failed',
    failureMessages: message === null ? [] : [message],
  });
  return JSON.stringify({
    testResults: [
      { name: '/copy/test/env/gess-ko.test.ts', message: '', assertionResults: [result('bars', null)] },
      { name: '/copy/test/env/gess.test.ts', message: '', assertionResults: [result('slides', failure)] },
    ],
  });
}

describe('a fault is caught by a failing test, and by nothing else', () => {
  test('the test is named', () => {
    const verdict = readVerdict(reportOf('AssertionError: expected 3 to be 2\n    at x.ts'), 1.5);
    expect(verdict).toMatchObject({ failed: 'gess.test.ts: slides', tests: 2, seconds: 1.5 });
  });

  test('no failure: it survives', () => {
    expect(readVerdict(reportOf(null), 1).failed).toBeNull();
  });

  test.each(['ReferenceError: slide is not defined', 'SyntaxError: x', 'Error: Test timed out in 60000ms.'])(
    'not by %s',
    (message) => {
      expect(() => readVerdict(reportOf(message), 1)).toThrow(message);
    },
  );

  test('not by a file that does not load', () => {
    const broken = { name: '/copy/test/env/gess.test.ts', message: 'cannot find x', assertionResults: [] };
    expect(() => readVerdict(JSON.stringify({ testResults: [broken] }), 1)).toThrow(
      '/copy/test/env/gess.test.ts does not load: cannot find x',
    );
  });
});
