import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { processorMsOf } from '../../../data/files/process-identity.js';
import { WarmStartConfig } from '../../../training/config/groups/warm-start-config.js';
import { type MatchReport, runMatch } from '../../../training/matches/match-run.js';
import { MatchSettings } from '../../../training/matches/match-settings.js';
import { planShards, type ShardJob } from '../../../training/self-play/shard-job.js';
import { playShard } from '../../../training/self-play/shard-play.js';
import { coresFor } from '../../../training/workers/core-binding.js';
import { ProcessPool, type ProcessPoolOptions } from '../../../training/workers/process-pool.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { bytesOf } from '../self-play/shard-bytes.js';
import { builtModule } from '../../package/built-module.js';

const MATCH = MatchSettings.parse({
  game: { id: 'connect-four' },
  agent: 'alphabeta:depth=4',
  opponent: 'alphabeta:depth=3',
  games: 20,
  seed: 3,
  openings: { plies: 6 },
});

/** Plays the match in the pool. */
async function playIn(pool: ProcessPool, onGame?: () => void): Promise<MatchReport> {
  return runMatch(MATCH, {
    processes: pool.processes,
    play: (jobs, listener, signal) => pool.playMatch(jobs, listener, signal),
    keep: () => {
      onGame?.();
      return Promise.resolve();
    },
  });
}

/** Two shards of games of an agent. */
function planned(agent = 'alphabeta:depth=3', folder = temporaryFolder()): Promise<readonly ShardJob[]> {
  return planShards({
    folder,
    game: MATCH.game,
    source: { kind: 'agent', config: { ...WarmStartConfig.parse({}), agent } },
    seed: 5,
    generation: 0,
    firstGame: 40,
    games: 20,
    gamesPerShard: 10,
    softwareVersion: '0.0.0',
  });
}

function pooled(
  processes: number,
  options: ProcessPoolOptions = {},
): { pool: ProcessPool; messages: string[] } {
  const messages: string[] = [];
  const pool = new ProcessPool(processes, { ...options, onMessage: (text) => messages.push(text) });
  onTestFinished(() => pool.dispose());
  return { pool, messages };
}

let calm: readonly Buffer[] | undefined;

/** The same shards, made by this process; once for all tests. */
async function undisturbed(): Promise<readonly Buffer[]> {
  if (calm !== undefined) return calm;
  const jobs = await planned();
  for (const job of jobs) await playShard(job);
  calm = await bytesOf(jobs);
  return calm;
}

test.runIf(process.platform === 'linux')('each process is bound to a core of its own', async () => {
  const cores = coresFor(1);
  const { pool } = pooled(1, { cores });
  await pool.playShards((await planned()).slice(0, 1));
  const status = await readFile(`/proc/${pool.pids[0]!}/status`, 'utf8');
  expect(status).toMatch(new RegExp(`^Cpus_allowed_list:\\s*${cores[0]!}$`, 'm'));
});

test.runIf(process.platform === 'linux')('more processes than cores cannot be bound', () => {
  expect(() => coresFor(5000)).toThrow(expect.objectContaining({ code: 'bind-cores' }));
});

test('one process plays the shards of several calls', async () => {
  const { pool, messages } = pooled(1);
  const jobs = await planned();
  const pids = new Set<number>();
  for (const job of jobs) {
    await pool.playShards([job]);
    expect(pool.pids).toHaveLength(1);
    pids.add(pool.pids[0]!);
  }
  expect(pids.size).toBe(1);
  expect(await bytesOf(jobs)).toEqual(await undisturbed());
  expect(messages).toEqual([]);
});

describe('a process that', () => {
  const LOSSES: [string, NodeJS.Signals, RegExp][] = [
    ['is killed', 'SIGKILL', /games 40 to 49 for .* was ended by SIGKILL; another process restarts them$/],
    ['is stopped', 'SIGSTOP', /games 40 to 49 for .* used no processor time for 1\.00 s, and was killed; /],
  ];

  test.each(isLong ? LOSSES : LOSSES.slice(1))(
    '%s loses no game: another plays its job',
    async (_name, signal, message) => {
      const jobs = await planned();
      const { pool, messages } = pooled(1, { idleLimitMs: 1000 });
      let hits = 0;
      const reports = await pool.playShards(jobs, {
        onGame: (finished) => {
          if (finished >= 2 && hits++ === 0) process.kill(pool.pids[0]!, signal);
        },
      });
      expect(hits).toBeGreaterThan(0);
      expect(messages).toEqual([expect.stringMatching(message)]);
      expect(reports.map(({ statistics }) => statistics.games)).toEqual([10, 10]);
      expect(await bytesOf(jobs)).toEqual(await undisturbed());
      expect((await readdir(join(jobs[0]!.path, '..'))).filter((name) => name.startsWith('.'))).toEqual([]);
    },
  );

  test.skipIf(!isLong).each<NodeJS.Signals>(['SIGKILL', 'SIGSTOP'])(
    'gets %s in the middle of a match does not change its result',
    async (signal) => {
      const { pool, messages } = pooled(2, { idleLimitMs: 1000 });
      let hits = 0;
      const { result } = await playIn(pool, () => {
        if (hits++ === 0) process.kill(pool.pids[1]!, signal);
      });
      expect(messages).toHaveLength(1);
      const { pool: others } = pooled(1);
      const { result: other } = await playIn(others);
      expect({ ...result, msPerMove: null }).toEqual({ ...other, msPerMove: null });
    },
  );

  test('died while idle is replaced', async () => {
    const jobs = await planned();
    const { pool, messages } = pooled(1);
    await pool.playShards(jobs.slice(0, 1));
    const [pid] = pool.pids;
    process.kill(pid!, 'SIGKILL');
    await expect.poll(() => pool.pids).toEqual([]);
    await pool.playShards(jobs);
    expect(pool.pids).not.toContain(pid);
    expect(messages).toEqual([]);
    expect(await bytesOf(jobs)).toEqual(await undisturbed());
  });

  test('gets SIGINT, SIGTERM or SIGHUP continues to play: its parent decides when to stop', async () => {
    const jobs = await planned();
    const { pool, messages } = pooled(1);
    const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    await pool.playShards(jobs, {
      onGame: () => {
        const signal = signals.pop();
        if (signal !== undefined) process.kill(pool.pids[0]!, signal);
      },
    });
    expect(signals).toEqual([]);
    expect(messages).toEqual([]);
  });

  test('dies three times over the same games causes an error that names them', async () => {
    const jobs = await planned();
    const { pool, messages } = pooled(1);
    const killed = new Set<number>();
    const playing = pool.playShards(jobs, {
      onGame: () => {
        const [pid] = pool.pids;
        if (pid === undefined || killed.has(pid)) return;
        killed.add(pid);
        process.kill(pid, 'SIGKILL');
      },
    });
    await expect(playing).rejects.toMatchObject({
      name: 'TrainingError',
      code: 'worker-died',
      message: expect.stringMatching(/games 40 to 49 for .* was ended by SIGKILL, .*3 in total$/) as string,
    });
    expect(killed.size).toBe(3);
    expect(messages).toHaveLength(2);
    expect(await readdir(join(jobs[0]!.path, '..'))).toEqual([]);
  });

  test.runIf(isLong)('runs out of memory causes an error with its last lines', async () => {
    const jobs = await planned();
    const { pool } = pooled(1);
    const before = process.env['NODE_OPTIONS'];
    onTestFinished(() => {
      if (before === undefined) delete process.env['NODE_OPTIONS'];
      else process.env['NODE_OPTIONS'] = before;
    });
    process.env['NODE_OPTIONS'] = '--max-old-space-size=8';
    await expect(pool.playShards(jobs)).rejects.toMatchObject({
      code: 'worker-died',
      message: expect.stringMatching(/SIG(ABRT|TRAP|ILL)[\s\S]*its last output was/) as string,
    });
  });

  test.skipIf(!isLong)('works without a sign of life beyond the limit causes an error', async () => {
    const jobs = await planned('alphabeta:timeMs=600000');
    const { pool } = pooled(1, { busyLimitMs: 1500 });
    await expect(pool.playShards(jobs)).rejects.toMatchObject({
      code: 'worker-died',
      message: expect.stringMatching(
        /showed no sign of life for 1\.50 s, and was killed, .*3 in total/,
      ) as string,
    });
  });
});

const WORK = [
  ['deep in a long search', 'alphabeta:timeMs=600000', 1100],
  ['in games', 'alphabeta:depth=4', 200],
] as const;

test.each(isLong ? WORK : WORK.slice(1))(
  'processes %s end with the process that started them',
  async (_name, agent, usedMs) => {
    const jobs = await planned(agent);
    const program = `
    const { ProcessPool } = await import(${JSON.stringify(builtModule('training/workers/process-pool.js'))});
    const pool = new ProcessPool(2);
    const playing = pool.playShards(${JSON.stringify(jobs)});
    console.log(pool.pids.join(' '));
    await playing;
    setInterval(() => {}, 1000);
  `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      parent.kill('SIGKILL');
    });
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const workers = text.toString().trim().split(/\s+/).map(Number);
    expect(workers).toHaveLength(2);
    await expect
      .poll(() => Math.min(...workers.map((pid) => processorMsOf(pid) ?? 0)), { timeout: 20_000 })
      .toBeGreaterThan(usedMs);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await expect
      .poll(() => workers.filter((pid) => existsSync(`/proc/${String(pid)}/exe`)), { timeout: 10_000 })
      .toEqual([]);
  },
);
