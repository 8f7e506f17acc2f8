import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listDatasetShards } from '../../../data/datasets/dataset-folder.js';
import { summarizeDataset } from '../../../data/datasets/dataset-summary.js';
import type { Sample } from '../../../data/shards/sample.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import { encodeShard } from '../../../data/shards/shard-encoding.js';
import { ShardsSummarizer } from '../../../data/datasets/shard-summary.js';
import { writeShard } from '../../../data/shards/shard.js';
import { shardName } from '../../../data/arrow-names.js';
import { FIXTURE_SHARD } from '../fixture-shard.js';
import { sampleArbitrary, sampleGame, sampleMetadata } from '../sample-arbitrary.js';
import { temporaryFolder } from '../temporary-folder.js';

function summarize(shards: readonly (readonly Sample[])[]): ReturnType<ShardsSummarizer['summary']> {
  const summarizer = new ShardsSummarizer();
  for (const samples of shards) {
    const columns = columnsOf(samples, sampleGame.packedSize);
    const bytes = encodeShard(columns, sampleMetadata);
    summarizer.add('a shard', { columns, bytes, metadata: sampleMetadata });
  }
  return summarizer.summary();
}

const shardsArbitrary = fc.array(fc.array(sampleArbitrary, { maxLength: 4 }), { minLength: 1, maxLength: 2 });

describe('a summary', () => {
  test('has the counts of all rows', () => {
    fc.assert(
      fc.property(shardsArbitrary, (shards) => {
        const samples = shards.flat();
        const summary = summarize(shards);
        const count = (holds: (sample: Sample) => boolean): number => samples.filter(holds).length;
        expect(summary).toMatchObject({
          game: 'connect-four',
          shards: shards.length,
          rows: samples.length,
          games: shards.reduce((sum, shard) => sum + new Set(shard.map(({ gameId }) => gameId)).size, 0),
          players: [count(({ player }) => player === 0), count(({ player }) => player === 1)],
          rowResults: {
            won: count(({ result }) => result === 1),
            drawn: count(({ result }) => result === 0),
            lost: count(({ result }) => result === -1),
            none: count(({ result }) => result === null),
          },
          searchedRows: count(({ rootValue }) => rootValue !== null),
          policyRows: count(({ policyWeight }) => policyWeight > 0),
          actions: samples.reduce((sum, { actions }) => sum + actions.length, 0),
        });
        const { histograms } = summary;
        expect(histograms.ply.count).toBe(samples.length);
        expect(histograms.rootValue.count).toBe(summary.searchedRows);
        expect(histograms.gamePlies.count).toBe(summary.games);
        if (samples.length > 0) {
          expect(histograms.ply.max).toBe(Math.max(...samples.map(({ ply }) => ply)));
          expect(histograms.searchSize.min).toBe(Math.min(...samples.map(({ searchSize }) => searchSize)));
        }
      }),
    );
  });

  test('counts a game to the first player, whichever player is to move', () => {
    const [sample] = fc.sample(sampleArbitrary, { numRuns: 1, seed: 2 });
    const second = { ...sample!, player: 1 as const, result: 1 as const, gameId: 5 };
    expect(summarize([[second]]).gameResults).toEqual({ won: 0, drawn: 0, lost: 1, none: 0 });
  });

  test('rejects shards of two games', () => {
    const summarizer = new ShardsSummarizer();
    const columns = columnsOf([], 7);
    const bytes = encodeShard(columns, sampleMetadata);
    summarizer.add('one', { columns, bytes, metadata: sampleMetadata });
    for (const change of [{ game: 'quess' }, { rules: 'x' }, { rulesVersion: 9 }, { encodingVersion: 9 }]) {
      expect(() => {
        summarizer.add('other', { columns, bytes, metadata: { ...sampleMetadata, ...change } });
      }).toThrow(expect.objectContaining({ code: 'dataset-mixed' }) as Error);
    }
  });
});

describe('a dataset', () => {
  test('consists of the shards of a folder and its subfolders', async () => {
    const folder = temporaryFolder();
    const write = async (...path: string[]): Promise<string> => {
      mkdirSync(join(folder, ...path), { recursive: true });
      const shard = join(folder, ...path, shardName(0));
      await writeShard(shard, { columns: columnsOf([], 7), metadata: sampleMetadata });
      return shard;
    };
    const shards = [await write(), await write('a'), await write('b', 'c')];
    await write('.hidden');
    writeFileSync(join(folder, 'a', 'orphan.arrow'), '');
    expect(await listDatasetShards(folder)).toEqual(shards);
    expect(await listDatasetShards(shards[2]!)).toEqual([shards[2]]);
  });

  test('shows one row', async () => {
    const { row } = await summarizeDataset(FIXTURE_SHARD, { row: 4 });
    expect(row).toMatchObject({
      row: 4,
      shard: FIXTURE_SHARD,
      player: 'red',
      ply: 4,
      legalActions: 7,
    });
    expect(row?.policy[0]).toEqual({ move: '3', probability: 0.625 });
    expect(row?.diagram).toContain('y');
  });

  test('rejects an unknown row', async () => {
    const { rows } = await summarizeDataset(FIXTURE_SHARD, { row: null });
    await expect(summarizeDataset(FIXTURE_SHARD, { row: rows })).rejects.toMatchObject({
      code: 'dataset-row',
      message: `expected a row from 0 to ${rows - 1} of ${FIXTURE_SHARD}, got ${rows}`,
    });
  });

  test('is rejected without shards', async () => {
    await expect(summarizeDataset(temporaryFolder(), { row: null })).rejects.toMatchObject({
      code: 'dataset-empty',
    });
  });
});
