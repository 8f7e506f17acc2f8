import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readShard, writeShard } from '../../../data/shards/shard.js';
import { arrowManifestPath, shardName } from '../../../data/arrow-names.js';
import { findLearntShards, learntShards } from '../../../training/run/learnt-shards.js';
import type { LearntShard } from '../../../training/run/run-records.js';
import { runPaths } from '../../../training/run/run-paths.js';
import { FIXTURE_SHARD as SHARD } from '../../data/fixture-shard.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

/** The folder of a run with three shards, and the relevant part of its line in `metrics.jsonl`. */
async function threeShards(): Promise<{
  readonly paths: ReturnType<typeof runPaths>;
  readonly there: readonly string[];
  readonly record: { readonly generation: number; readonly shards: readonly LearntShard[] };
}> {
  const paths = runPaths(temporaryFolder());
  const folder = paths.data(2);
  await mkdir(folder, { recursive: true });
  const { columns, metadata } = await readShard(SHARD);
  const there = [0, 1, 2].map((index) => join(folder, shardName(index)));
  for (const [index, path] of there.entries()) {
    const shard = { columns, metadata: { ...metadata, seed: index } };
    await writeShard(path, shard);
  }
  return { paths, there, record: { generation: 2, shards: await learntShards(there) } };
}

test("later generations learn from the shards of a generation's line, not from others in its folder", async () => {
  const { paths, there, record } = await threeShards();
  expect(await findLearntShards(paths, [record], 2)).toEqual(there);
  const named = [{ ...record, shards: record.shards.slice(0, 2) }];
  expect(await findLearntShards(paths, named, 2)).toEqual(there.slice(0, 2));
});

test('a missing shard is an error that names it', async () => {
  const { paths, there, record } = await threeShards();
  rmSync(arrowManifestPath(there[1]!));
  await expect(findLearntShards(paths, [record], 2)).rejects.toMatchObject({
    code: 'run-damaged',
    message: expect.stringContaining(arrowManifestPath(there[1]!)) as string,
  });
  rmSync(paths.data(2), { recursive: true });
  await expect(findLearntShards(paths, [record], 2)).rejects.toMatchObject({ code: 'run-damaged' });
});

test('a sound shard that was replaced is an error that names it, and so is a missing line', async () => {
  const { paths, there, record } = await threeShards();
  const { columns, metadata } = await readShard(SHARD);
  await writeShard(there[2]!, { columns, metadata: { ...metadata, seed: 9 } });
  await expect(findLearntShards(paths, [record], 2)).rejects.toMatchObject({
    code: 'run-damaged',
    message: expect.stringContaining(`${record.shards[2]!.sha256} of ${there[2]!}`) as string,
  });
  await expect(findLearntShards(paths, [], 2)).rejects.toMatchObject({ code: 'run-damaged' });
});
