import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sealJson } from '../../../data/files/sealed-json.js';
import { runPaths, type RunPaths } from '../../../training/run/run-paths.js';
import { missingGenerations, readRecords, writeRecord } from '../../../training/run/run-record-file.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { evaluationRecord, gateRecord, metricsRecord } from './record-fixtures.js';

/** A run with two matches in its `evaluations.jsonl`. */
async function twoMatches(): Promise<RunPaths> {
  const paths = runPaths(temporaryFolder());
  for (const generation of [1, 2])
    await writeRecord(paths, 'evaluations', evaluationRecord(generation, 'random'));
  return paths;
}

describe('a file of records', () => {
  test('returns what was written, in order', async () => {
    const paths = runPaths(temporaryFolder());
    const metrics = [1, 2, 3].map((generation) => metricsRecord(generation));
    for (const record of metrics) await writeRecord(paths, 'metrics', record);
    expect(await readRecords(paths, 'metrics')).toEqual(metrics);
    await writeRecord(paths, 'gates', gateRecord(1, { passed: true }));
    expect(await readRecords(paths, 'gates')).toEqual([gateRecord(1, { passed: true })]);
    expect(await readRecords(paths, 'removals')).toEqual([]);
  });

  test('replaces a record with the same generation and key in place, and keeps other lines unchanged', async () => {
    const paths = await twoMatches();
    await writeRecord(paths, 'evaluations', evaluationRecord(2, 'greedy'));
    const before = readFileSync(paths.evaluations, 'utf8').split('\n');
    const record = evaluationRecord(2, 'random', { score: 0.75 });
    await writeRecord(paths, 'evaluations', record);
    const after = readFileSync(paths.evaluations, 'utf8').split('\n');
    expect([after[0], after[2], after[3]]).toEqual([before[0], before[2], '']);
    expect((await readRecords(paths, 'evaluations'))[1]).toEqual(record);
  });

  test('knows which generations have no record', () => {
    expect(missingGenerations([{ generation: 3 }, { generation: 1 }], 4)).toEqual([2, 4]);
    expect(missingGenerations([], 0)).toEqual([]);
  });
});

describe('a line that is not a record is an error with file and line number:', () => {
  const forged = (changes: object): string =>
    sealJson({ ...evaluationRecord(2, 'random'), ...changes }, 'line');

  test.each<[string, (line: string) => string, string]>([
    ['invalid JSON', () => 'no record\n', 'not JSON'],
    ['a list', () => '[1, 2]\n', 'expected an object'],
    ['a truncated line', (line) => line.slice(0, 30), 'not JSON'],
    [
      'an altered number',
      (line) => line.replace('"score":0.5', '"score":0.6'),
      'it does not match its own checksum',
    ],
    ['an altered layout', (line) => line.replace(',', ', '), 'it does not match its own checksum'],
    ['no checksum', () => `${JSON.stringify(evaluationRecord(2, 'random'))}\n`, 'it has no checksum'],
    ['a forged score', () => forged({ score: 1.5 }), 'score'],
    ['a forged generation', () => forged({ generation: -1 }), 'generation'],
    ['a missing field', () => forged({ pentanomial: undefined }), 'pentanomial'],
    ['an unknown field', () => forged({ bonus: 1 }), 'bonus'],
    ['a record of another file', () => sealJson(metricsRecord(2), 'line'), 'key'],
  ])('%s', async (_name, change, problem) => {
    const paths = await twoMatches();
    const [first, second] = readFileSync(paths.evaluations, 'utf8').split(/(?<=\n)/);
    writeFileSync(paths.evaluations, first! + change(second!));
    const error = {
      code: 'run-damaged',
      message: expect.stringMatching(
        new RegExp(`on line 2 of ${paths.evaluations.replaceAll('.', '\\.')}: .*${problem}`, 's'),
      ) as string,
    };
    await expect(readRecords(paths, 'evaluations')).rejects.toMatchObject(error);
    // It is not replaced either: the file is evidence of what happened.
    await expect(writeRecord(paths, 'evaluations', evaluationRecord(2, 'random'))).rejects.toMatchObject(
      error,
    );
  });
});
