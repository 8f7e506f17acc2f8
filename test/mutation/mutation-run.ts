import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { copyProject, testMutant, type Verdict } from './mutant.js';
import { engineOf, type PlantedFault, plantFault } from './planted-fault.js';
import { PLANTED_FAULTS } from './planted-faults.js';
import { TypeChecker } from './type-check.js';

/**
 * Plants each fault in a copy of the project and expects a test to fail: `npm run mutate`. Only faults whose
 * names contain a text: `npm run mutate -- -t "gess 4.6"`.
 */

// One copy of the project for all faults, so that edits meanwhile have no effect.
const snapshot = await copyProject(join(import.meta.dirname, '..', '..'));
const checker = new TypeChecker(
  snapshot,
  PLANTED_FAULTS.map(({ file }) => file),
);
const verdicts = new Map<PlantedFault, Verdict>();

function titleOf(fault: PlantedFault): string {
  return `${engineOf(fault)} ${fault.rule} ${fault.name}`;
}

function tableLine(fault: PlantedFault): string[] {
  const verdict = verdicts.get(fault);
  if (verdict === undefined) return [];
  const { failed, seconds } = verdict;
  const time = `${seconds.toFixed(1).padStart(6)} s`;
  return [`${failed === null ? 'SURVIVED' : 'caught  '} ${time}  ${titleOf(fault)}`, `  ${failed ?? ''}`];
}

describe.concurrent('faults', () => {
  test('without a fault all tests pass', async () => {
    const { failed, message, tests } = await testMutant(snapshot, null);
    expect(failed, message).toBeNull();
    expect(tests).toBeGreaterThan(700);
  });

  test.each(PLANTED_FAULTS.map((fault) => [titleOf(fault), fault] as const))('%s', async (_title, fault) => {
    const text = plantFault(fault, readFileSync(join(snapshot, fault.file), 'utf8'));
    expect(checker.errorsOf(fault.file, text)).toEqual([]);
    const verdict = await testMutant(snapshot, fault);
    verdicts.set(fault, verdict);
    expect(verdict.failed, 'no test failed').not.toBeNull();
  });
});

afterAll(async () => {
  await rm(snapshot, { recursive: true, force: true });
  const caught = [...verdicts.values()].filter(({ failed }) => failed !== null).length;
  console.log(PLANTED_FAULTS.flatMap(tableLine).join('\n'));
  console.log(`${caught} of ${verdicts.size} faults caught`);
});
