import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readShard, shardManifestPath, shardName, writeShard } from '../../../data/shards/shard.js';
import { findLearntShards, learntShards } from '../../../training/run/learnt-shards.js';
import type { LearntShard } from '../../../training/run/run-records.js';
import { runPaths } from '../../../training/run/run-folder.js';
import { GameStatistics } from '../../../training/self-play/self-play-statistics.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const SHARD = join(import.meta.dirname, '..', '..', 'fixtures', 'shard-v1.arrow');

/** As a manifest has them. */
function countsOf(games: number): Record<string, number> {
  const lengths = { plies: games, shortestPlies: 1, longestPlies: 1 };
  const results = { wins: games, draws: 0, losses: 0, truncated: 0 };
  return { games, positions: games, evaluations: 0, ...lengths, ...results };
}

/** The folder of a run with three shards of two games, and what its line says of them. */
async function threeShards(): Promise<{
  readonly paths: ReturnType<typeof runPaths>;
  readonly there: readonly string[];
  readonly record: { readonly generation: number; readonly games: GameStatistics };
  readonly shards: readonly LearntShard[];
}> {
  const paths = runPaths(temporaryFolder());
  const folder = paths.data(2);
  await mkdir(folder, { recursive: true });
  const { columns, metadata } = await readShard(SHARD);
  const there = [0, 1, 2].map((index) => join(folder, shardName(index)));
  for (const [index, path] of there.entries()) {
    const shard = { columns, metadata: { ...metadata, seed: index } };
    await writeShard(path, shard, { statistics: countsOf(2) });
  }
  const record = { generation: 2, games: GameStatistics.parse(countsOf(6)) };
  return { paths, there, record, shards: await learntShards(there) };
}

test('a generation learns again from the shards of its line, and from no other that lies there', async () => {
  const { paths, there, record, shards } = await threeShards();
  const named = [{ ...record, shards: shards.slice(0, 2) }];
  expect(await findLearntShards(paths, named, 2)).toEqual(there.slice(0, 2));
  // Lines of earlier versions name none.
  expect(await findLearntShards(paths, [record], 2)).toEqual(there);
});

test('a shard that is gone is named, also by the lines of earlier versions', async () => {
  const { paths, there, record, shards } = await threeShards();
  rmSync(shardManifestPath(there[1]!));
  for (const line of [record, { ...record, shards }]) {
    await expect(findLearntShards(paths, [line], 2)).rejects.toMatchObject({
      code: 'run-damaged',
      message: expect.stringContaining(shardManifestPath(there[1]!)) as string,
    });
  }
  rmSync(paths.data(2), { recursive: true });
  for (const line of [record, { ...record, shards }]) {
    await expect(findLearntShards(paths, [line], 2)).rejects.toMatchObject({ code: 'run-damaged' });
  }
});

test('a sound shard that is another than it was is named, and so is a line that is gone', async () => {
  const { paths, there, record, shards } = await threeShards();
  const { columns, metadata } = await readShard(SHARD);
  await writeShard(there[2]!, { columns, metadata: { ...metadata, seed: 9 } }, { statistics: countsOf(2) });
  await expect(findLearntShards(paths, [{ ...record, shards }], 2)).rejects.toMatchObject({
    code: 'run-damaged',
    message: expect.stringContaining(`${shards[2]!.sha256} of ${there[2]!}`) as string,
  });
  await expect(findLearntShards(paths, [], 2)).rejects.toMatchObject({ code: 'run-damaged' });
});
