import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { RunMoment } from '../../../scripts/training/run-reader.js';
import { RunReader } from '../../../scripts/training/run-reader.js';
import { watchView } from '../../../scripts/training/watch-view.js';
import { LivePublisher } from '../../../scripts/training/live-publisher.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { openRun, type Run } from '../../../training/run/run-folder.js';
import { writeRecord } from '../../../training/run/run-record-file.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { evaluationRecord, metricsRecord } from '../../training/run/record-fixtures.js';
import { runGess, runGessJson } from '../captured-output.js';

async function newRun(): Promise<{ folder: string; run: Run }> {
  const folder = join(temporaryFolder(), 'run');
  const config = RunConfig.parse({ game: { id: 'connect-four' }, generations: 3 });
  const run = await openRun(folder, { config, resume: false, versions: {} });
  for (const generation of [1, 2]) {
    await writeRecord(run.paths, 'metrics', { ...metricsRecord(generation), time: 1000 + 60 * generation });
  }
  await writeRecord(run.paths, 'evaluations', evaluationRecord(2, 'greedy'));
  return { folder, run };
}

/** All files of a folder with their content. */
function contentOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

test('tells a running run from a killed, a stopped, and a finished one, and changes nothing', async () => {
  const { folder, run } = await newRun();
  const reader = new RunReader(folder);
  const status = async (): Promise<RunMoment['status']> => (await reader.read()).status;
  expect(await status()).toBe('running');
  const live = new LivePublisher(run.paths.live, 'wasm');
  live.onStage('learning', 3, '20 steps');
  live.onProgress(5, 20);
  await live.end('running');
  expect((await reader.read()).live?.stage).toMatchObject({ name: 'learning', done: 5, total: 20 });
  run.lock.release();
  // Its process ended without writing its last state.
  expect(await status()).toBe('killed');
  const stopped = new LivePublisher(run.paths.live, 'wasm');
  await stopped.end('stopped');
  expect(await status()).toBe('stopped');
  const before = contentOf(folder);
  expect(await runGessJson('watch', folder)).toMatchObject({
    status: 'stopped',
    generation: 2,
    generations: 3,
  });
  expect(contentOf(folder)).toEqual(before);
  const done = new LivePublisher(run.paths.live, 'wasm');
  await done.end('finished');
  expect(await status()).toBe('waiting');
  await writeRecord(run.paths, 'metrics', metricsRecord(3));
  expect(await status()).toBe('finished');
  const { results } = await runGess('watch', folder);
  expect(results).toHaveLength(1);
  expect(results[0]).toContain('generation 3 of 3, finished');
  // A damaged live state counts as a missing one.
  writeFileSync(run.paths.live, '{"liveVersion":1,');
  expect(await status()).toBe('finished');
});

test('fits the terminal, with and without colours, and shows the activity of the run', async () => {
  const { folder, run } = await newRun();
  const live = new LivePublisher(run.paths.live, 'wasm');
  live.onStage('games', 3, '16 games by generation 2');
  live.onProgress(4, 16);
  live.watchPool({ summary: () => ({ workers: 3, processes: 6, games: 240, failures: 1, suspended: 0 }) });
  await live.end('running');
  const moment = await new RunReader(folder).read();
  run.lock.release();
  const now = moment.live!.stage!.since + 75;
  const { game } = moment;
  const state = game.initialState();
  game.apply(state, game.parseAction('3'));
  const withGame = { ...moment, lastGame: { state, plies: 1, text: 'no result in 1 plies' } };
  for (const depth of [1, 24] as const) {
    for (const [columns, lines] of [
      [80, 23],
      [160, 49],
      [40, 10],
    ] as const) {
      const facts = { depth, isUnicode: true };
      const view = watchView(withGame, { columns, lines }, facts, now).map(stripVTControlCharacters);
      expect(view.length).toBeLessThanOrEqual(lines);
      expect(Math.max(...view.map(({ length }) => length))).toBeLessThan(columns);
      const text = view.join('\n');
      if (columns >= 80) {
        for (const part of [
          'generation 3 of 3, self-play for 1:15',
          '4/16 games',
          'greedy, generation 2',
          'last game',
          'pool: 3 workers, 240 games, 1 failure',
        ]) {
          expect(text).toContain(part);
        }
      }
    }
  }
});

test('a folder without a run is a coded error', async () => {
  await expect(runGess('watch', temporaryFolder())).rejects.toMatchObject({ code: 'run-missing' });
  await expect(runGess('watch', '/nowhere', '--once')).rejects.toMatchObject({ code: 'run-missing' });
});
