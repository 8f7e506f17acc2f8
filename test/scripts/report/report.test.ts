import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Chart } from '../../../scripts/report/chart.js';
import { chartFigure, chartsSvg } from '../../../scripts/report/charts-svg.js';
import { figureHtml } from '../../../scripts/report/run-report/figure-html.js';
import { runCharts } from '../../../scripts/report/run-charts.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { estimateElo } from '../../../training/statistics/elo.js';
import type { AccuracyRecord, EvaluationRecord } from '../../../training/run/run-records.js';
import { writeRecord } from '../../../training/run/run-record-file.js';
import { openRun } from '../../../training/run/run-folder.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { evaluationRecord } from '../../training/run/record-fixtures.js';
import { failGess, runGess, runGessJson } from '../captured-output.js';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');
const SOLVED = join(FIXTURES, 'connect-four-solved.jsonl');

/** The texts of an image. */
function textsOf(svg: string): readonly string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);
}

const chartArbitrary: fc.Arbitrary<Chart> = fc.record({
  title: fc.constantFrom('Policy', 'Games'),
  unit: fc.constant('nats'),
  curves: fc.uniqueArray(fc.constantFrom('loss', 'entropy', 'length'), { minLength: 1 }).chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({
          name: fc.constant(name),
          points: fc
            .array(
              fc.integer({ min: 0, max: 4000 }).map((value) => value / 400),
              { minLength: 1, maxLength: 12 },
            )
            .map((values) => values.map((value, generation) => ({ generation, value }))),
        }),
      ),
    ),
  ),
});

test('an image shows all titles and names of curves, and is the same for the same charts', () => {
  fc.assert(
    fc.property(fc.array(chartArbitrary, { minLength: 1, maxLength: 4 }), (charts) => {
      const svg = chartsSvg(charts);
      expect(chartsSvg(charts)).toBe(svg);
      const texts = textsOf(svg);
      for (const { title, unit, curves } of charts) {
        expect(texts).toContain(`${title} (${unit})`);
        for (const { name } of curves) expect(texts).toContain(name);
      }
    }),
    { numRuns: 20 },
  );
});

test('records with any numbers can be drawn', () => {
  const numbers = [0, 1, 5e-324, 1e-320, 1e-30, 2 ** 53 - 1, 1e308, Number.MAX_VALUE];
  for (const one of numbers) {
    for (const other of [...numbers, -1e308, -5e-324]) {
      const points = [
        { generation: 1, value: one, low: -one, high: other },
        { generation: 2 ** 53 - 1, value: other },
      ];
      const chart: Chart = { title: 'Loss', unit: 'nats', curves: [{ name: 'loss', points }] };
      expect(chartsSvg([chart])).not.toMatch(/NaN|Infinity/);
      expect(chartFigure({ ...chart, axis: 'hours' }, 400).svg).not.toMatch(/NaN|Infinity/);
    }
  }
});

test('a curve of thousands of points has no more error bars than fit', () => {
  const barsOf = (count: number): number => {
    const points = Array.from({ length: count }, (_, generation) => ({
      generation,
      value: 5,
      low: 1,
      high: 9,
    }));
    const { svg } = chartFigure({ title: 'Points', unit: '%', curves: [{ name: 'greedy', points }] }, 500);
    return [...svg.matchAll(/stroke-width="1.5"/g)].length;
  };
  expect([3, 500, 501, 5000].map(barsOf)).toEqual([3, 500, 251, 500]);
});

test('scores lie in their interval, which ends at 0 and 100 if Elo has no bound', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { minLength: 5, maxLength: 5 }), (pentanomial) => {
      fc.pre(pentanomial.some((count) => count > 0));
      const estimate = estimateElo(pentanomial);
      const record = { generation: 3, key: 'greedy', ...estimate } as unknown as EvaluationRecord;
      const [chart] = runCharts({ metrics: [], evaluations: [record], accuracies: [] });
      const [point] = chart!.curves[0]!.points;
      expect(point!.value).toBeCloseTo(100 * estimate.score, 9);
      expect(point!.low).toBeLessThanOrEqual(point!.value + 1e-9);
      expect(point!.high).toBeGreaterThanOrEqual(point!.value - 1e-9);
      if (estimate.eloLow === null) expect(point!.low).toBe(0);
      if (estimate.eloHigh === null) expect(point!.high).toBe(100);
    }),
  );
});

test('the newest of thousands of opponents and agents are drawn', () => {
  const keys = Array.from({ length: 2000 }, (_, index) => `agent ${index}`);
  const evaluations = keys.map((key, index) => evaluationRecord(index, key));
  const accuracies = keys.map((key, generation): AccuracyRecord => {
    return { generation, key, positions: 4, best: 1 } as AccuracyRecord;
  });
  const charts = runCharts({ metrics: [], evaluations, accuracies });
  for (const title of ['Points in matches', 'Best moves found']) {
    const { curves } = charts.find((chart) => chart.title.startsWith(title))!;
    expect(curves.length).toBeLessThanOrEqual(100);
    expect(curves.at(-1)!.name).toBe('agent 1999');
  }
});

test('the table of a chart reads each point a few times, and shows the first of a place', () => {
  let reads = 0;
  const points = Array.from({ length: 1000 }, (_, place) => ({
    value: place,
    get generation() {
      reads += 1;
      return place % 500;
    },
  }));
  const chart: Chart = { title: 'Loss', unit: 'nats', curves: [{ name: 'loss', points }] };
  const { html } = figureHtml(chart, 0);
  expect(html).toContain('<td>7</td><td>7</td>');
  expect(html).not.toContain('<td>507</td>');
  expect(reads).toBeLessThan(100 * points.length);
});

/** A run with the network of generation 1 and two measurements. */
async function measuredRun(): Promise<string> {
  const folder = join(temporaryFolder(), 'a <run> & "more"');
  const config = RunConfig.parse({ game: { id: 'connect-four' }, generations: 3 });
  const { lock, paths } = await openRun(folder, { config, resume: false, versions: {} });
  lock.release();
  cpSync(join(FIXTURES, 'checkpoint'), paths.checkpoint(1), { recursive: true });
  const match = { wins: 7, draws: 2, losses: 1, truncated: 0, meanPlies: 20, games: 10 };
  const result = { ...match, ...estimateElo([0, 0, 1, 2, 2]), pentanomial: [0, 0, 1, 2, 2] };
  await writeRecord(paths, 'evaluations', evaluationRecord(1, 'greedy<1>', result));
  return folder;
}

test('gess accuracy --run measures each network, and gess report draws it', async () => {
  const folder = await measuredRun();
  const words = ['accuracy', '--run', folder, '--solved', SOLVED, '--simulations', '8', '--json'];
  const records = (await runGess(...words)).results.map((line) => JSON.parse(line) as AccuracyRecord);
  expect(records.map(({ generation, key }) => [generation, key])).toEqual([
    [1, 'policy'],
    [1, '8 simulations'],
  ]);
  for (const { positions, best, decisive, bestOfDecisive } of records) {
    expect([positions, best - bestOfDecisive]).toEqual([100, 100 - decisive]);
  }
  const svg = join(folder, 'curves.svg');
  const page = join(folder, 'report.html');
  expect(await runGessJson('report', folder, '--svg', svg)).toEqual({
    files: [page, svg],
    charts: [
      'Ratings, with 95 % interval',
      'Points in matches, with 95 % interval',
      'Best moves found in solved positions',
    ],
  });
  expect(textsOf(readFileSync(svg, 'utf8'))).toContain('8 simulations');
  for (const option of ['--svg', '--out']) {
    const file = option === '--svg' ? svg : page;
    await expect(runGess('report', folder, option, file)).rejects.toMatchObject({ code: 'file-exists' });
    await runGess('report', folder, option, file, '--overwrite');
  }
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<td>greedy&lt;1&gt;</td><td>10</td><td>7</td><td>2</td><td>1</td>');
  expect(html).not.toContain('<1>');
});

test('a run without measurements has a page without curves and no image; a missing run has no page', async () => {
  const folder = await measuredRun();
  rmSync(join(folder, 'evaluations.jsonl'));
  await runGess('report', folder);
  const page = readFileSync(join(folder, 'report.html'), 'utf8');
  for (const part of ['Nothing has been measured yet.', 'has no games.', 'No match has been played.'])
    expect(page).toContain(part);
  const svg = join(folder, 'curves.svg');
  await expect(runGess('report', folder, '--svg', svg)).rejects.toMatchObject({ code: 'dataset-empty' });
  expect(existsSync(svg)).toBe(false);
  await expect(runGess('report', join(folder, 'none'))).rejects.toMatchObject({ code: 'run-missing' });
});

test('the page shows games of the newest generation that has some', async () => {
  const folder = await measuredRun();
  const games = join(temporaryFolder(), 'games');
  await runGess('selfplay', '--game', 'connect-four', '--agent', 'careful', '--games', '2', '--out', games);
  cpSync(games, join(folder, 'data', 'gen-000001'), { recursive: true });
  // A run makes the next generation's folder before it writes the page.
  mkdirSync(join(folder, 'data', 'gen-000002'));
  await runGess('report', folder);
  const page = readFileSync(join(folder, 'report.html'), 'utf8');
  expect(page).toContain('Self-play for generation 1');
});

test.each<[string, string]>([
  ['', 'option-missing'],
  ['--run x --agent random', 'option-conflict'],
  ['--agent random --simulations 9', 'option-conflict'],
  ['--game connect-four --agent random mcts:simulatons=4', 'agent-option'],
])('gess accuracy %s is refused before it prints a result', async (words, code) => {
  const given = words.split(' ').filter((word) => word !== '');
  const { results, error } = await failGess(['accuracy', '--solved', SOLVED, ...given, '--json']);
  expect(error).toMatchObject({ code });
  expect(results).toEqual([]);
});
