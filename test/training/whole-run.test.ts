import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRng } from '../../env/random.js';
import type { EvaluationRecord, MetricsRecord } from '../../training/loop.js';

/** How often the run is killed; more by hand: `KILLS=100 npx vitest run test/training/whole-run.test.ts`. */
const KILLS = Number(process.env['KILLS'] ?? '4');
/** The longest that a run is left alone before it is killed; to the end it takes longer. */
const LONGEST_LIFE_MS = 1_800;

const LAUNCHER = join(import.meta.dirname, '..', '..', 'scripts', 'launch.mjs');
const CONFIG = {
  seed: 7,
  generations: 3,
  game: { id: 'connect-four' },
  network: { channels: 8, blocks: 1, valueHidden: 16, globalPoolEvery: 1, movesLeft: true, holders: true },
  warmStart: { agent: 'alphabeta:depth=2', games: 16 },
  selfPlay: {
    games: 24,
    gamesPerShard: 4,
    concurrentGames: 4,
    search: { simulations: 12, root: 'gumbel' },
    fullSearchShare: 0.5,
    cheapSimulations: 6,
    // Calibrated anew in each generation.
    resignValue: -0.3,
    playOnShare: 0.9,
  },
  learner: {
    batchSize: 32,
    maxSteps: 12,
    warmUpSteps: 5,
    averaging: { kind: 'exponential', decay: 0.9 },
  },
  replay: {
    window: { kind: 'power', rows: 400 },
    maxPasses: 3,
    warmStartShare: 0.3,
    surpriseShare: 0.5,
    memoryMiB: 0,
  },
  evaluation: { every: 3, opponents: ['random'], games: 4, simulations: 8 },
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gess-run-'));
  writeFileSync(join(folder, 'config.json'), JSON.stringify(CONFIG));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function startTraining(...options: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [LAUNCHER, 'train', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => (stdout += String(text)));
  child.stderr.on('data', (text) => (stderr += String(text)));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
  return { child, ended };
}

function train(...options: string[]): Promise<Ended> {
  return startTraining(...options).ended;
}

/** SHA-256 of every file that a run must leave alike, by path. */
function digests(run: string): Record<string, string> {
  const names = ['data', 'checkpoints'].flatMap((part) =>
    readdirSync(join(run, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return Object.fromEntries(
    names
      .sort()
      .map((name) => [name.slice(run.length), createHash('sha256').update(readFileSync(name)).digest('hex')]),
  );
}

function records<R>(run: string, name: string): R[] {
  const lines = readFileSync(join(run, name), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as R);
}

describe('a run', () => {
  test(
    'goes from games to networks, and a killed one ends with the same bytes',
    { timeout: 300_000 },
    async () => {
      const calm = join(folder, 'calm');
      const config = join(folder, 'config.json');
      const { code, stderr } = await train('--config', config, '--out', calm);
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(0);

      const killed = join(folder, 'killed');
      const rng = createRng(1, 'kills');
      let last = await (async (): Promise<Ended> => {
        for (let kill = 0; kill < KILLS; kill++) {
          const { child, ended } = startTraining('--config', config, '--out', killed, '--resume');
          const timer = setTimeout(() => child.kill('SIGKILL'), rng.integer(LONGEST_LIFE_MS));
          const result = await ended;
          clearTimeout(timer);
          if (result.code === 0) return result;
        }
        return train('--out', killed, '--resume');
      })();
      // Killed before it had written what it is to do.
      if (last.stderr.includes('[run-missing]')) last = await train('--config', config, '--out', killed);
      expect(last.stderr).not.toContain('    at ');
      expect(last.code).toBe(0);
      expect(digests(killed)).toEqual(digests(calm));

      const metrics = records<MetricsRecord>(killed, 'metrics.jsonl');
      expect(metrics.map(({ generation }) => generation)).toEqual([1, 2, 3]);
      expect(new Set(records<MetricsRecord>(calm, 'metrics.jsonl').map(({ tensors }) => tensors)).size).toBe(
        1,
      );
      const matches = records<EvaluationRecord>(calm, 'evaluations.jsonl');
      expect(matches.map(({ generation, key }) => `${generation} ${key}`)).toEqual([
        '0 random',
        '3 random',
        '3 generation-0',
      ]);
    },
  );

  test(
    'stops at Ctrl-C after the work under way, says how to go on, and does',
    { timeout: 120_000 },
    async () => {
      const out = join(folder, 'stopped');
      const { child, ended } = startTraining('--config', join(folder, 'config.json'), '--out', out, '--json');
      child.stderr!.on('data', (text) => {
        if (String(text).includes('generation 1, games')) child.kill('SIGINT');
      });
      const stopped = await ended;
      expect(stopped.code).toBe(0);
      expect(stopped.stderr).toContain(`gess train --out ${out} --resume`);
      expect(JSON.parse(stopped.stdout)).toMatchObject({ finished: false });
      const resumed = await train('--out', out, '--resume', '--json');
      expect(JSON.parse(resumed.stdout)).toMatchObject({ finished: true, generation: 3 });
    },
  );

  test('is not begun twice, nor by two processes', { timeout: 60_000 }, async () => {
    const out = join(folder, 'twice');
    const config = join(folder, 'config.json');
    const { child, ended } = startTraining('--config', config, '--out', out);
    let second: Promise<Ended> | undefined;
    child.stderr!.on('data', (text) => {
      if (String(text).includes('generation 1, games')) second ??= train('--out', out, '--resume');
    });
    child.stderr!.on('data', () => {
      void second?.then(() => child.kill('SIGKILL'));
    });
    await ended;
    const locked = await second!;
    expect(locked.code).toBe(1);
    expect(locked.stderr).toContain('[run-locked]');
    const begun = await train('--config', config, '--out', out);
    expect(begun.code).toBe(1);
    expect(begun.stderr).toContain('[run-exists]');
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ ...CONFIG, seed: 8 }));
    const changed = await train('--config', join(folder, 'other.json'), '--out', out, '--resume');
    expect(changed.stderr).toContain('[run-changed]');
    // Without its run.json the folder is of another run still.
    rmSync(join(out, 'run.json'));
    const adopted = await train('--config', join(folder, 'other.json'), '--out', out);
    expect(adopted.stderr).toContain('[run-changed]');
  });
});
