import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDatasetCard, writeDatasetCard } from '../../../data/datasets/dataset-card-file.js';
import { listDatasetShards } from '../../../data/datasets/dataset-folder.js';
import { mergeDatasets, splitDataset } from '../../../data/datasets/dataset-tools.js';
import { writeEpisodes } from '../../../data/episodes/episode-file.js';
import { ALL_ROWS, compileFilter } from '../../../data/datasets/row-filter.js';
import type { Sample } from '../../../data/shards/sample.js';
import { columnsOf, sampleOf } from '../../../data/shards/shard-columns.js';
import type { ShardMetadata } from '../../../data/shards/shard-metadata.js';
import { readShard, writeShard } from '../../../data/shards/shard.js';
import { shardName } from '../../../data/arrow-names.js';
import { verifyFiles } from '../../../data/verification.js';
import { recordedGames } from '../recorded-games.js';
import { asGames, sampleArbitrary, sampleGame, sampleMetadata } from '../sample-arbitrary.js';
import { temporaryFolder } from '../temporary-folder.js';

const softwareVersion = '0.1.0';

/** Rows of games of eight plies each, otherwise arbitrary. */
function gamesOf(first: number, games: number): readonly Sample[] {
  const rows = fc.sample(sampleArbitrary, { numRuns: games * 8, seed: first + 1 });
  return asGames(
    rows.map((sample, index) => ({ ...sample, gameId: first + (index >> 3), ply: 0, pliesLeft: 1 })),
  );
}

async function dataset(
  games: readonly (readonly Sample[])[],
  metadata: Partial<ShardMetadata> = {},
): Promise<string> {
  const folder = join(temporaryFolder(), 'games');
  mkdirSync(folder);
  for (const [index, samples] of games.entries()) {
    const shard = {
      columns: columnsOf(samples, sampleGame.packedSize),
      metadata: { ...sampleMetadata, ...metadata },
    };
    await writeShard(join(folder, shardName(index)), shard, { statistics: index });
  }
  return folder;
}

async function rowsOf(folder: string): Promise<Sample[]> {
  const rows: Sample[] = [];
  for (const path of await listDatasetShards(folder)) {
    const { columns } = await readShard(path);
    rows.push(...Array.from({ length: columns.rows }, (_, row) => sampleOf(columns, row)));
  }
  return rows;
}

function fresh(): string {
  return join(temporaryFolder(), 'new');
}

const request = { filter: ALL_ROWS, softwareVersion };

describe('merging', () => {
  test('keeps every row and the bytes of every shard', async () => {
    const [a, b] = [gamesOf(0, 4), gamesOf(4, 3)];
    const sources = [await dataset([a]), await dataset([b], { generation: 4 })];
    const out = fresh();
    expect(await mergeDatasets({ ...request, sources, out })).toBe(56);
    expect(await rowsOf(out)).toEqual([...a, ...b]);
    for (const [index, source] of sources.entries()) {
      for (const ending of ['arrow', 'json']) {
        const copied = readFileSync(join(out, `shard-00000${index}.${ending}`));
        const from = readFileSync(join(source, `shard-000000.${ending}`), 'utf8');
        if (ending === 'arrow') expect(copied.toString()).toBe(from);
        else expect(JSON.parse(copied.toString())).toMatchObject({ details: { statistics: 0 } });
      }
    }
    expect(await readDatasetCard(out)).toMatchObject({
      rows: 56,
      games: 7,
      generations: [3, 4],
      madeBy: { operation: 'merge', options: {}, sources: [{ name: 'games', rows: 32 }, { rows: 24 }] },
    });
    expect((await verifyFiles(out, { deep: false })).problems).toEqual([]);
  });

  test('keeps the rows that fulfil all conditions', async () => {
    const source = await dataset([gamesOf(0, 4), gamesOf(4, 4)]);
    const filter = { where: ['ply=2..5', 'result=won,none', 'gameId=1,3..6'], sample: 1, seed: 1 };
    const out = fresh();
    const expected = (await rowsOf(source)).filter(
      ({ ply, result, gameId }) =>
        ply >= 2 && ply <= 5 && (result === 1 || result === null) && [1, 3, 4, 5, 6].includes(gameId),
    );
    expect(expected.length).toBeGreaterThan(0);
    await mergeDatasets({ ...request, sources: [source], out, filter });
    expect(await rowsOf(out)).toEqual(expected);
    // One shard: the kept rows are packed anew.
    expect(await listDatasetShards(out)).toHaveLength(1);
  });

  test('keeps rows with a null for a condition with none', async () => {
    const source = await dataset([gamesOf(0, 4)]);
    const expected = (await rowsOf(source)).filter(({ played, surprise }) => {
      return played === null && (surprise === null || surprise <= 4);
    });
    expect(expected.length).toBeGreaterThan(0);
    const out = fresh();
    const filter = { ...ALL_ROWS, where: ['played=none', 'surprise=none,..4'] };
    await mergeDatasets({ ...request, sources: [source], out, filter });
    expect(await rowsOf(out)).toEqual(expected);
  });

  test('samples the same rows among any others, about the requested share', async () => {
    const [a, b] = [await dataset([gamesOf(0, 100)]), await dataset([gamesOf(100, 100)])];
    const draw = async (sources: string[], seed: number): Promise<Sample[]> => {
      const out = fresh();
      await mergeDatasets({ ...request, sources, out, filter: { where: [], sample: 0.25, seed } });
      return rowsOf(out);
    };
    const [all, first] = [await draw([a, b], 1), await draw([a], 1)];
    expect(all.filter(({ gameId }) => gameId < 100)).toEqual(first);
    expect(all.length / 1600).toBeCloseTo(0.25, 1);
    expect(await draw([a], 2)).not.toEqual(first);
  });

  test.each<[string, Partial<ShardMetadata>, number]>([
    ['dataset-mixed', { game: 'quess' }, 10],
    ['dataset-mixed', { rulesVersion: 2 }, 10],
    ['dataset-mixed', { encodingVersion: 2 }, 10],
    ['dataset-duplicate', {}, 3],
  ])('%s: shards that do not fit together, and nothing is left', async (code, metadata, firstGame) => {
    const sources = [await dataset([gamesOf(0, 4)]), await dataset([gamesOf(firstGame, 4)], metadata)];
    const out = fresh();
    await expect(mergeDatasets({ ...request, sources, out })).rejects.toMatchObject({ code });
    expect(readdirSync(join(out, '..'))).toEqual([]);
  });

  test('games of different generations with equal ids are different games', async () => {
    const sources = [await dataset([gamesOf(0, 2)]), await dataset([gamesOf(0, 2)], { generation: 9 })];
    expect(await mergeDatasets({ ...request, sources, out: fresh() })).toBe(32);
  });

  test('of two that would make the same folder, the second is refused', async () => {
    const source = await dataset([gamesOf(0, 2)]);
    const out = fresh();
    const [first, second] = await Promise.allSettled(
      [1, 2].map(() => mergeDatasets({ ...request, sources: [source], out })),
    );
    expect([first!.status, second!.status].sort()).toEqual(['fulfilled', 'rejected']);
    const refused = (first!.status === 'rejected' ? first : second) as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: 'run-locked' });
    expect(readdirSync(join(out, '..'))).toHaveLength(1);
  });

  test('rejects existing outputs, empty results and damaged sources', async () => {
    const source = await dataset([gamesOf(0, 2)]);
    const there = temporaryFolder();
    await expect(mergeDatasets({ ...request, sources: [source], out: there })).rejects.toMatchObject({
      code: 'dataset-exists',
    });
    const out = fresh();
    const none = { where: ['ply=100'], sample: 1, seed: 1 };
    await expect(mergeDatasets({ ...request, sources: [source], out, filter: none })).rejects.toMatchObject({
      code: 'dataset-empty',
    });
    await expect(mergeDatasets({ ...request, sources: [there], out })).rejects.toMatchObject({
      code: 'dataset-empty',
    });
    writeFileSync(join(source, shardName(0)), 'cut');
    await expect(mergeDatasets({ ...request, sources: [source], out })).rejects.toMatchObject({
      code: 'file-cut',
    });
    expect(existsSync(out)).toBe(false);
  });
});

describe('splitting', () => {
  const shares = [
    { name: 'train', share: 0.75 },
    { name: 'validation', share: 0.25 },
  ];

  test('puts every row into one part, whole games together, approximately by the shares', async () => {
    const source = await dataset([gamesOf(0, 100), gamesOf(100, 100)]);
    const out = fresh();
    const rows = await splitDataset({ ...request, sources: [source], out }, { shares, seed: 1 });
    const [train, validation] = [await rowsOf(join(out, 'train')), await rowsOf(join(out, 'validation'))];
    expect(rows).toEqual({ train: train.length, validation: validation.length });
    const gamesOfPart = (part: Sample[]): Set<number> => new Set(part.map(({ gameId }) => gameId));
    expect([...gamesOfPart(train)].some((game) => gamesOfPart(validation).has(game))).toBe(false);
    expect(train.length + validation.length).toBe(1600);
    expect(train.length / 1600).toBeCloseTo(0.75, 1);
    const ids = (samples: Sample[]): number[] => samples.map(({ gameId, ply }) => gameId * 8 + ply);
    expect([...ids(train), ...ids(validation)].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 1600 }, (_, row) => row),
    );
    expect((await readDatasetCard(join(out, 'train')))?.madeBy?.options).toEqual({
      shares: { train: 0.75, validation: 0.25 },
      seed: 1,
      part: 'train',
    });
  });

  test('equal seeds give equal bytes, different seeds do not', async () => {
    const source = await dataset([gamesOf(0, 20)]);
    const digest = async (seed: number): Promise<string> => {
      const out = fresh();
      await splitDataset({ ...request, sources: [source], out }, { shares, seed });
      return ['shard-000000.arrow', 'dataset.json']
        .map((name) => readFileSync(join(out, 'train', name), 'latin1'))
        .join();
    };
    expect(await digest(1)).toBe(await digest(1));
    expect(await digest(1)).not.toBe(await digest(2));
  });

  test.each([
    [[{ name: 'a', share: 0.5 }]],
    [
      [
        { name: 'a', share: 0.5 },
        { name: 'a', share: 0.5 },
      ],
    ],
    [[{ name: '../a', share: 1 }]],
    [[{ name: '__proto__', share: 1 }]],
    [
      [
        { name: 'a', share: 0 },
        { name: 'b', share: 1 },
      ],
    ],
  ])('refuses invalid shares: %j', async (parts) => {
    const split = splitDataset({ ...request, sources: [], out: fresh() }, { shares: parts, seed: 1 });
    await expect(split).rejects.toMatchObject({ code: 'dataset-content' });
  });
});

test.each([
  '',
  'ply',
  'ply=',
  'ply=..',
  'ply=1..2..3',
  'plies=3',
  'ply=x',
  'result=1',
  'toString=1',
  'ply=3,',
])('the condition %j is refused', (condition) => {
  expect(() => compileFilter({ where: [condition], sample: 1, seed: 1 })).toThrow(
    expect.objectContaining({ code: 'dataset-filter' }) as Error,
  );
});

test.each([NaN, -1, 0.5, 2 ** 53])('the seed %d of a sample or a split is refused', async (seed) => {
  expect(() => compileFilter({ where: [], sample: 0.5, seed })).toThrow(
    expect.objectContaining({ code: 'dataset-filter' }) as Error,
  );
  const request = { sources: [], out: 'none', filter: ALL_ROWS, softwareVersion };
  await expect(splitDataset(request, { shares: [{ name: 'a', share: 1 }], seed })).rejects.toMatchObject({
    code: 'dataset-filter',
  });
});

describe('a card', () => {
  test('reports a missing shard, and keeps its description', async () => {
    const folder = await dataset([gamesOf(0, 2), gamesOf(2, 2)]);
    const words = { datasetId: 'gess/connect-four/test-v0', license: 'CC0-1.0', description: 'a | b\nc' };
    const origin = { words, madeBy: null };
    await writeDatasetCard(folder, { name: 'games', origin, softwareVersion });
    expect(await readDatasetCard(folder)).toMatchObject({ words, games: 4, madeBy: null });
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/^# gess\/connect-four\/test-v0\n/);
    expect((await verifyFiles(folder, { deep: false })).problems).toEqual([]);
    for (const ending of ['arrow', 'json']) rmSync(join(folder, `shard-000001.${ending}`));
    expect((await verifyFiles(folder, { deep: false })).problems).toMatchObject([
      { code: 'file-missing', path: join(folder, 'shard-000001.json') },
    ]);
  });

  test('leaves out episodes in the same folder', async () => {
    const folder = await dataset([gamesOf(0, 2)]);
    await writeEpisodes(join(folder, 'episodes.arrow'), recordedGames(false));
    const card = { name: 'games', origin: { words: {}, madeBy: null }, softwareVersion };
    expect(await writeDatasetCard(folder, card)).toMatchObject({ shards: 1, games: 2 });
    expect((await verifyFiles(folder, { deep: false })).problems).toEqual([]);
  });

  test('rejects an invalid id', async () => {
    const folder = await dataset([gamesOf(0, 2)]);
    const origin = { words: { datasetId: 'no version' }, madeBy: null };
    await expect(writeDatasetCard(folder, { name: 'games', origin, softwareVersion })).rejects.toMatchObject({
      code: 'dataset-content',
    });
  });
});
