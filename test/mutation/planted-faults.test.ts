import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { engineOf, plantFault } from './planted-fault.js';
import { PLANTED_FAULTS } from './planted-faults.js';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const DOCUMENTS: Readonly<Record<string, string>> = {
  gess: read('docs/reference/rules.md'),
  quess: read('docs/reference/rules-quess.md'),
  mcts: read('docs/explanation/search.md'),
};
const rules = Object.values(DOCUMENTS).join('\n');

/** `npm run mutate` plants the faults and runs the tests; this test only keeps the table up to date. */
describe('the table of planted faults', () => {
  test.each(PLANTED_FAULTS)('$rule $name', (fault) => {
    const { diagnostics } = ts.transpileModule(plantFault(fault, read(fault.file)), {
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2023 },
    });
    expect(diagnostics).toEqual([]);
    expect(rules).toMatch(new RegExp(`^${fault.rule.replace('.', '\\.')} `, 'm'));
  });

  test('names no fault of an engine twice', () => {
    const names = PLANTED_FAULTS.map((fault) => `${engineOf(fault)}: ${fault.name}`);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  test('breaks every rule of moves and of the end, except those that follow from others', () => {
    const broken = new Set(PLANTED_FAULTS.map(({ rule }) => rule));
    const numbers = Array.from(rules.matchAll(/^([23]\.\d|Q[2-6]\.\d) /gm), ([, number = '']) => number);
    const following = ['2.5', 'Q3.2', 'Q3.4', 'Q4.3', 'Q5.2'];
    expect(numbers.filter((number) => !broken.has(number))).toEqual(following);
  });

  test('has as many faults as the documents state', () => {
    for (const [engine, text] of Object.entries(DOCUMENTS)) {
      const count = PLANTED_FAULTS.filter((fault) => engineOf(fault) === engine).length;
      expect(text).toContain(`${count} faults`);
    }
  });

  test('refuses a fault whose text does not occur exactly once', () => {
    const fault = { name: 'none', rule: '2.1', file: 'x.ts', find: 'a + b', replace: 'a' };
    expect(plantFault(fault, 'c = a + b;')).toBe('c = a;');
    expect(() => plantFault(fault, 'c = a - b;')).toThrow('expected its text once in x.ts, found it 0 times');
    expect(() => plantFault(fault, 'a + b; a + b;')).toThrow('found it 2 times');
  });
});
