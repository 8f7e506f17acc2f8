import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRng } from '../../../env/random.js';
import { isValidationGame, ReplayWindow } from '../../../data/datasets/replay-window.js';
import { isLearnt, type Sample } from '../../../data/shards/sample.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import { sampleOfRow } from '../../../data/shards/shard-rows.js';
import { writeShard } from '../../../data/shards/shard.js';
import { shardName } from '../../../data/arrow-names.js';
import { fixtureShard } from '../fixture-shard.js';
import { asGames, sampleArbitrary, sampleGame, sampleMetadata } from '../sample-arbitrary.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Three shards of forty games with five rows each. */
async function writeShards(): Promise<{ paths: string[]; samples: Sample[] }> {
  const folder = temporaryFolder();
  const rows = fc.sample(sampleArbitrary, { numRuns: 600, seed: 1 });
  const samples = asGames(rows.map((sample, row) => ({ ...sample, gameId: Math.floor(row / 5) })));
  const paths = [0, 1, 2].map((shard) => join(folder, shardName(shard)));
  for (const [shard, path] of paths.entries()) {
    const columns = columnsOf(samples.slice(200 * shard, 200 * (shard + 1)), sampleGame.packedSize);
    await writeShard(path, { columns, metadata: sampleMetadata });
  }
  return { paths, samples };
}

test.each([
  ['in memory', Infinity],
  ['partly on the disk', 30_000],
  ['on the disk', 0],
])(
  '%s, a window has every row of its shards in order, those to be learnt on exactly one side of the split',
  async (_, memoryBytes) => {
    const { paths, samples } = await writeShards();
    const window = await ReplayWindow.open(paths, { game: sampleGame, validationShare: 0.3, memoryBytes });
    const rows = samples.map((_sample, row) => sampleOfRow(window.shard(row), window.index(row)));
    expect(rows).toEqual(samples);
    const learnt = [...samples.keys()].filter((row) => isLearnt(samples[row]!));
    expect([...window.trainingRows, ...window.validationRows].sort((a, b) => a - b)).toEqual(learnt);
    expect(window.validationRows.length).toBeGreaterThan(0);
  },
);

test('splits by game, equally in every window', async () => {
  const { paths } = await writeShards();
  const options = { game: sampleGame, validationShare: 0.3 };
  const all = await ReplayWindow.open(paths, options);
  const last = await ReplayWindow.open(paths.slice(2), options);
  const gamesOf = (window: ReplayWindow, rows: Uint32Array): Set<number> =>
    new Set(Array.from(rows, (row) => window.shard(row).columns.gameIds[window.index(row)]!));
  const training = gamesOf(all, all.trainingRows);
  const validation = gamesOf(all, all.validationRows);
  expect([...training].filter((game) => validation.has(game))).toEqual([]);
  for (const game of gamesOf(last, last.validationRows)) expect(validation).toContain(game);
  for (const game of gamesOf(last, last.trainingRows)) expect(training).toContain(game);
});

test('keeps approximately the requested share for validation', () => {
  for (const share of [0, 0.05, 0.5, 1]) {
    let held = 0;
    for (let game = 0; game < 20_000; game++) held += isValidationGame(7, game, share) ? 1 : 0;
    // Five standard deviations of a binomial draw of 20,000.
    expect(Math.abs(held / 20_000 - share)).toBeLessThanOrEqual(
      5 * Math.sqrt((share * (1 - share)) / 20_000),
    );
  }
});

test('samples training rows uniformly, and equally for equal streams', async () => {
  const { paths } = await writeShards();
  const window = await ReplayWindow.open(paths, { game: sampleGame, validationShare: 0.3 });
  const rows = new Uint32Array(50_000);
  window.drawTrainingRows(createRng(1, 'learner'), rows);
  const again = rows.slice().fill(0);
  window.drawTrainingRows(createRng(1, 'learner'), again);
  expect(again).toEqual(rows);
  const drawn = new Map<number, number>();
  for (const row of rows) drawn.set(row, (drawn.get(row) ?? 0) + 1);
  expect([...drawn.keys()].sort((a, b) => a - b)).toEqual([...window.trainingRows]);
  const mean = rows.length / window.trainingRows.length;
  for (const count of drawn.values()) expect(Math.abs(count - mean)).toBeLessThan(7 * Math.sqrt(mean));
});

test('validation rows of the shards sampled apart have the share of their training samples', async () => {
  const { paths } = await writeShards();
  const open = (share: number, shards: number): Promise<ReplayWindow> =>
    ReplayWindow.open(paths, { game: sampleGame, validationShare: 0.3, apart: { shards, share } });
  for (const share of [0.01, 0.25, 0.5, 0.9]) {
    const window = await open(share, 1);
    for (const most of [1, 7, 40, 10_000]) {
      const rows = [...window.spreadValidationRows(most)];
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.length).toBeLessThanOrEqual(most);
      expect(new Set(rows).size).toBe(rows.length);
      for (const row of rows) expect(window.validationRows).toContain(row);
      const ofApart = rows.filter((row) => row < 200).length;
      expect(Math.abs(ofApart - share * rows.length)).toBeLessThanOrEqual(1.5);
    }
  }
  // If one part has no rows, all rows are from the other.
  for (const shards of [0, 3]) {
    const window = await open(0.25, shards);
    expect(window.spreadValidationRows(10_000)).toEqual(window.validationRows);
  }
});

test('samples the requested share from the shards apart', async () => {
  const { paths } = await writeShards();
  const apart = { shards: 1, share: 0.1 };
  const window = await ReplayWindow.open(paths, { game: sampleGame, validationShare: 0.3, apart });
  const rows = new Uint32Array(20_000);
  window.drawTrainingRows(createRng(1, 'learner'), rows);
  const drawn = rows.filter((row) => row < 200).length;
  // Five standard deviations.
  expect(Math.abs(drawn - 2000)).toBeLessThan(5 * Math.sqrt(20_000 * 0.1 * 0.9));
  expect(window.ordinaryRows).toBe(window.trainingRows.filter((row) => row >= 200).length);
  const only = await ReplayWindow.open(paths.slice(0, 1), { game: sampleGame, validationShare: 0.3, apart });
  only.drawTrainingRows(createRng(1, 'learner'), rows);
  expect(only.ordinaryRows).toBe(only.trainingRows.length);
});

test('reports a file on the disk that was cut after the window was opened', async () => {
  const path = join(temporaryFolder(), shardName(0));
  await writeShard(path, fixtureShard());
  const onDisk = await ReplayWindow.open([path], { game: sampleGame, validationShare: 0, memoryBytes: 0 });
  truncateSync(path, 100);
  expect(() => onDisk.shard(0).content(0)).toThrow(expect.objectContaining({ code: 'file-cut' }) as Error);
});

test('is rejected without training rows', async () => {
  await expect(ReplayWindow.open([], { game: sampleGame, validationShare: 0 })).rejects.toMatchObject({
    code: 'window-empty',
  });
});
