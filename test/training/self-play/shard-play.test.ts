import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readShard } from '../../../data/shard.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng } from '../../../env/random.js';
import { NetworkConfig, SelfPlayConfig, WarmStartConfig } from '../../../training/config.js';
import { createNetwork, networkShape } from '../../../training/network/network.js';
import { encodeOnnxModel } from '../../../training/network/onnx-model.js';
import { type GameSource, planShards, type ShardJob } from '../../../training/self-play/shard-job.js';
import { playShard } from '../../../training/self-play/shard-play.js';
import { WorkerPool } from '../../../training/workers/worker-pool.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const game = { id: 'connect-four', rules: 'default' };
const config = SelfPlayConfig.parse({ concurrentGames: 5, search: { simulations: 8 } });

/** An untrained network, its heads shaken up so that it has opinions. */
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

function pooled(processes: number): WorkerPool {
  const pool = new WorkerPool(processes);
  onTestFinished(() => pool.dispose());
  return pool;
}

async function bytesOf(jobs: readonly ShardJob[]): Promise<readonly Buffer[]> {
  const files = jobs.flatMap(({ path }) => [path, path.replace('.arrow', '.json')]);
  return Promise.all(files.map((path) => readFile(path)));
}

describe('shards', () => {
  let pool: WorkerPool;

  beforeAll(() => {
    pool = new WorkerPool(1);
  });

  afterAll(() => pool.dispose());

  test('have the same bytes whichever process plays them, and however it divides its work', async () => {
    const here = await planned({ concurrentGames: 3, batchSize: 2 });
    for (const job of here) await playShard(job);
    const one = await planned();
    await pool.playShards(one);
    const two = await planned({ processes: 2 });
    const reports = await pooled(2).playShards(two);
    expect(await bytesOf(one)).toEqual(await bytesOf(here));
    expect(await bytesOf(two)).toEqual(await bytesOf(here));
    expect(reports.map(({ statistics }) => statistics.games)).toEqual([8, 8, 6]);
    for (const { effort } of reports) expect(effort!.networkEvaluations).toBeGreaterThan(0);
  });

  test('hold each game once and say what they are', async () => {
    const jobs = await planned();
    await pool.playShards(jobs);
    const games: number[] = [];
    for (const { path } of jobs) {
      const { columns, metadata } = await readShard(path, connectFour);
      expect(metadata).toMatchObject({ seed: 5, generation: 2, configDigest: jobs[0]!.sourceDigest });
      games.push(...new Set(columns.gameIds));
    }
    expect(games).toEqual(Array.from({ length: 22 }, (_, index) => 40 + index));
  });

  test('that are there are not played again, those that are not are', async () => {
    const jobs = await planned();
    await pool.playShards(jobs);
    const before = await bytesOf(jobs);
    await rm(jobs[1]!.path.replace('.arrow', '.json'));
    const finished: number[] = [];
    const reports = await pool.playShards(jobs, { onGame: (count) => finished.push(count) });
    expect(reports.map(({ effort }) => effort === null)).toEqual([true, false, true]);
    expect(finished).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await bytesOf(jobs)).toEqual(before);
  });

  test('of another seed or network in the same folder are refused', async () => {
    const jobs = await planned();
    await playShard(jobs[0]!);
    await expect(playShard({ ...jobs[0]!, seed: 6 })).rejects.toMatchObject({ code: 'shard-of-other-job' });
  });

  test('that are damaged are an error that names the file, from another process too', async () => {
    const jobs = await planned();
    await playShard(jobs[0]!);
    await truncate(jobs[0]!.path, 100);
    await expect(pool.playShards(jobs)).rejects.toMatchObject({
      name: 'DataError',
      code: 'file-cut',
      message: expect.stringContaining(jobs[0]!.path) as string,
    });
  });

  test('of an unknown agent or a missing model are an error', async () => {
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

/** The processes that this one has started and that still run. */
async function children(): Promise<number[]> {
  const list = await readFile(`/proc/${String(process.pid)}/task/${String(process.pid)}/children`, 'utf8');
  return list.trim().split(' ').filter(Boolean).map(Number);
}

describe('a process that is killed', () => {
  test('loses no game: another plays its job', async () => {
    const jobs = await planned();
    const pool = pooled(1);
    const before = new Set(await children());
    let killed = 0;
    const reports = await pool.playShards(jobs, {
      onGame: (finished) => {
        if (finished < 11 || killed > 0) return;
        killed = 1;
        void children().then((all) => {
          for (const child of all) if (!before.has(child)) process.kill(child, 'SIGKILL');
        });
      },
    });
    expect(killed).toBe(1);
    expect(reports).toHaveLength(3);
    const undisturbed = await planned();
    for (const job of undisturbed) await playShard(job);
    expect(await bytesOf(jobs)).toEqual(await bytesOf(undisturbed));
  });

  test('twice over the same games is an error that names them', async () => {
    const jobs = await planned({ concurrentGames: 1, search: { ...config.search, simulations: 64 } });
    const pool = pooled(1);
    const before = new Set(await children());
    const playing = pool.playShards(jobs, {
      onGame: () => {
        void children().then((all) => {
          for (const child of all) if (!before.has(child)) process.kill(child, 'SIGKILL');
        });
      },
    });
    await expect(playing).rejects.toMatchObject({
      code: 'worker-died',
      message: expect.stringContaining('games 40 to 47') as string,
    });
    expect((await readdir(join(jobs[0]!.path, '..'))).filter((name) => name !== 'model.onnx')).toEqual([]);
  });

  test('takes the processes that it started with it', async () => {
    const jobs = await planned();
    const program = `
      const { WorkerPool } = await import(${JSON.stringify(builtModule('training/workers/worker-pool.js'))});
      const { readFileSync } = await import('node:fs');
      const pool = new WorkerPool(2);
      const started = pool.playShards(${JSON.stringify(jobs)}, { onGame: () => {
        console.log(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8'));
      } });
      await started;
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      parent.kill('SIGKILL');
    });
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const workers = text.toString().trim().split(/\s+/).map(Number);
    expect(workers.length).toBeGreaterThan(0);
    // SIGINT to a terminal's group does not reach them; the end of their parent does.
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await expect
      .poll(() => workers.filter((pid) => existsSync(`/proc/${String(pid)}/exe`)), { timeout: 10_000 })
      .toEqual([]);
  });
});

/** A compiled module: other processes run what users run. */
function builtModule(path: string): string {
  return join(import.meta.dirname, '..', '..', '..', 'dist', path);
}
