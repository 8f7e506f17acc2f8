import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkShardRows } from '../../../data/shards/shard-check.js';
import { readShard } from '../../../data/shards/shard.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng } from '../../../env/random.js';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import { WarmStartConfig } from '../../../training/config/groups/warm-start-config.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { createNetwork } from '../../../training/network/network.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';
import { type GameSource, planShards, type ShardJob } from '../../../training/self-play/shard-job.js';
import { playShard } from '../../../training/self-play/shard-play.js';
import { ProcessPool } from '../../../training/workers/process-pool.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { bytesOf } from './shard-bytes.js';

const game = { id: 'connect-four', rules: 'default' };
const config = SelfPlayConfig.parse({ concurrentGames: 5, search: { simulations: 8 } });

/** An untrained network whose heads have random weights, so that its outputs are not uniform. */
function modelBytes(): Uint8Array {
  const shape = networkShape(connectFour, NetworkConfig.parse({ channels: 8, blocks: 1, valueHidden: 8 }));
  const network = createNetwork(shape, createRng(1, 'init'));
  const rng = createRng(1, 'heads');
  network.weights.forEach((weight, index) => {
    if (weight === 0) network.weights[index] = rng.float() - 0.5;
  });
  return encodeOnnxModel(network, 'legal');
}

let model: Uint8Array;

beforeAll(() => {
  model = modelBytes();
});

async function planned(
  changes: Partial<SelfPlayConfig> = {},
  folder = temporaryFolder(),
): Promise<readonly ShardJob[]> {
  const modelPath = join(folder, 'model.onnx');
  await writeFile(modelPath, model);
  const source: GameSource = { kind: 'network', modelPath, config: { ...config, ...changes } };
  return planFor(source, folder);
}

function planFor(source: GameSource, folder: string): Promise<readonly ShardJob[]> {
  return planShards({
    folder,
    game,
    source,
    seed: 5,
    generation: 2,
    firstGame: 40,
    games: 22,
    gamesPerShard: 8,
    softwareVersion: '0.0.0',
  });
}

describe('shards', () => {
  const [pool, pair] = [new ProcessPool(1), new ProcessPool(2)];

  afterAll(() => Promise.all([pool.dispose(), pair.dispose()]));

  test('have the same bytes from any process and with any division of the work', async () => {
    const here = await planned({ concurrentGames: 3, batchSize: 2 });
    for (const job of here) await playShard(job);
    const one = await planned();
    await pool.playShards(one);
    const two = await planned({ processes: 2 });
    const reports = await pair.playShards(two);
    expect(await bytesOf(one)).toEqual(await bytesOf(here));
    expect(await bytesOf(two)).toEqual(await bytesOf(here));
    expect(reports.map(({ statistics }) => statistics.games)).toEqual([8, 8, 6]);
    for (const { effort } of reports) expect(effort!.networkEvaluations).toBeGreaterThan(0);
  });

  test('contain each game once, with metadata', async () => {
    const jobs = await planned();
    await pool.playShards(jobs);
    const games: number[] = [];
    for (const { path } of jobs) {
      const shard = await readShard(path, connectFour);
      checkShardRows(path, shard);
      const { columns, metadata } = shard;
      expect(metadata).toMatchObject({ seed: 5, generation: 2, configDigest: jobs[0]!.sourceDigest });
      games.push(...new Set(columns.gameIds));
    }
    expect(games).toEqual(Array.from({ length: 22 }, (_, index) => 40 + index));
  });

  test('are kept if they exist, and played if they are missing', async () => {
    const jobs = await planned();
    await pool.playShards(jobs);
    const before = await bytesOf(jobs);
    await rm(jobs[1]!.path.replace('.arrow', '.json'));
    const counts: (readonly [number, number])[] = [];
    const reports = await pool.playShards(jobs, { onGame: (...count) => counts.push(count) });
    expect(reports.map(({ effort }) => effort === null)).toEqual([true, false, true]);
    // The last shard, of 6 games, has not been looked for yet.
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((games) => [games, 8 + 6]));
    expect(await bytesOf(jobs)).toEqual(before);
  });

  test('in progress are finished after a stop, and only their games are expected', async () => {
    const jobs = await planned();
    const stop = new AbortController();
    const counts: (readonly [number, number])[] = [];
    const reports = await pool.playShards(jobs, {
      signal: stop.signal,
      onGame: (...count) => {
        counts.push(count);
        stop.abort();
      },
    });
    expect(reports.map(({ path }) => path)).toEqual([jobs[0]!.path]);
    expect(counts[0]).toEqual([1, 22]);
    expect(counts.slice(1)).toEqual([2, 3, 4, 5, 6, 7, 8].map((games) => [games, 8]));
  });

  test('with another seed or network in the same folder are refused', async () => {
    const jobs = await planned();
    await playShard(jobs[0]!);
    const others = [{ seed: 6 }, { sourceDigest: '0'.repeat(64) }];
    for (const other of others) {
      const refused = { code: 'shard-of-other-job' };
      await expect(playShard({ ...jobs[0]!, ...other }), JSON.stringify(other)).rejects.toMatchObject(
        refused,
      );
    }
  });

  test('cause an error that names the file if they are damaged, also from another process', async () => {
    const jobs = await planned();
    await playShard(jobs[0]!);
    await truncate(jobs[0]!.path, 100);
    await expect(pool.playShards(jobs)).rejects.toMatchObject({
      name: 'DataError',
      code: 'file-cut',
      message: expect.stringContaining(jobs[0]!.path) as string,
    });
  });

  test('cause an error for an unknown agent or a missing model', async () => {
    const folder = temporaryFolder();
    const source = { kind: 'agent', config: { ...WarmStartConfig.parse({}), agent: 'nobody' } } as const;
    await expect(pool.playShards(await planFor(source, folder))).rejects.toMatchObject({
      name: 'AgentError',
      code: 'agent-unknown',
    });
    const network = { kind: 'network', modelPath: join(folder, 'none.onnx'), config } as const;
    await expect(planFor(network, folder)).rejects.toMatchObject({ code: 'file-missing' });
    expect(await readdir(folder)).toEqual([]);
  });
});
