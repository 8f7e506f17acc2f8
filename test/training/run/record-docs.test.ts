import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EvaluationRecord, GateRecord, MetricsRecord } from '../../../training/run/run-records.js';

const text = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'metrics.md'),
  'utf8',
);

/** The fields in the first table after `anchor`; a name without a group belongs to the previous name's group. */
function documentedAfter(anchor: string): string[] {
  const table = /\n\| field[^]*?\n\n/.exec(text.slice(text.indexOf(anchor)))![0];
  const cells = Array.from(table.matchAll(/^\| (`[^|]+`) +\|/gm), ([, cell]) => cell!);
  return cells.flatMap((cell) => {
    const names = Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name!);
    const group = /^[^.]+\./.exec(names[0]!)?.[0] ?? '';
    return names.map((name) => (name.includes('.') ? name : group + name));
  });
}

test('the documents list the fields of metrics.jsonl', () => {
  const { learning, ...others } = MetricsRecord.shape;
  const fields = [...Object.keys(others), ...Object.keys(learning.shape).map((name) => `learning.${name}`)];
  expect(documentedAfter('`metrics.jsonl` has one line').sort()).toEqual(fields.sort());
});

test('the documents list the fields of evaluations.jsonl and gates.jsonl', () => {
  const ofMatches = documentedAfter('`evaluations.jsonl` has one line');
  expect(ofMatches.sort()).toEqual(Object.keys(EvaluationRecord.shape).sort());
  const ofGates = documentedAfter('`gates.jsonl` has one line');
  const shared = ofMatches.filter((name) => name !== 'key');
  expect([...shared, ...ofGates].sort()).toEqual(Object.keys(GateRecord.shape).sort());
});
