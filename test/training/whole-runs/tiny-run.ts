import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluationRecord } from '../../../training/run/run-records.js';
import { isLong } from '../../long-tests.js';
import { LAUNCHER } from '../../scripts/usage/launcher.js';

/** A run that takes seconds and uses every kind of state that passes from one generation to the next. */
export const TINY_CONFIG = {
  seed: 7,
  generations: 3,
  game: { id: 'connect-four' },
  network: {
    channels: 8,
    blocks: 1,
    valueHidden: 16,
    globalPoolEvery: 1,
    movesLeft: true,
    holders: true,
  },
  warmStart: { agent: 'alphabeta:depth=2', games: 16 },
  selfPlay: {
    // In the long form enough for workers of a pool to join in.
    games: isLong ? 24 : 16,
    gamesPerShard: 4,
    concurrentGames: 4,
    precision: 'int8',
    search: { simulations: 12, root: 'gumbel' },
    fullSearchShare: 0.5,
    cheapSimulations: 6,
    // Calibrated again in each generation.
    resignValue: -0.3,
    playOnShare: 0.9,
  },
  learner: {
    batchSize: 32,
    maxSteps: 12,
    // Saves twice in each learnt generation.
    saveEvery: 4,
    warmUpSteps: 5,
    averaging: { kind: 'exponential', decay: 0.9 },
  },
  replay: {
    window: { kind: 'power', rows: 400 },
    maxPasses: 3,
    warmStartShare: 0.3,
    memoryMiB: 0,
  },
  // With few games, some networks pass and others do not.
  gate: { games: 4, score: 0.6, simulations: 4 },
  evaluation: { every: 3, opponents: ['random'], games: 4, simulations: 8 },
};

/** The end of a program: exit code or signal, and output. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Calls `call` once, when the program has printed `text` to stderr. */
  readonly onceSaid: (text: string, call: () => void) => void;
}

/** Starts any program. */
export function start(command: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(command, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Map<string, () => void>();
  child.stdout.on('data', (text) => (stdout += String(text)));
  child.stderr.on('data', (text) => {
    stderr += String(text);
    for (const [awaited, call] of waiting) {
      if (!stderr.includes(awaited)) continue;
      waiting.delete(awaited);
      call();
    }
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
  return { child, ended, onceSaid: (text, call) => void waiting.set(text, call) };
}

/** Starts `gess train`. */
export function startTraining(...options: string[]): Started {
  return start(process.execPath, [LAUNCHER, 'train', ...options]);
}

/** Runs `gess train` to its end. */
export function train(...options: string[]): Promise<Ended> {
  return startTraining(...options).ended;
}

/** The running child processes of a process. */
export function childrenOf(pid: number): number[] {
  try {
    const list = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
    return list.trim().split(' ').filter(Boolean).map(Number);
  } catch {
    // It has ended.
    return [];
  }
}

/** Files below a folder, including half-written ones. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** SHA-256 of every file that must be equal in equal runs, by path. */
export function digests(run: string): Record<string, string> {
  const names = ['data', 'checkpoints'].flatMap((part) => filesBelow(join(run, part)));
  return Object.fromEntries(
    names.map((name) => [
      name.slice(run.length),
      createHash('sha256').update(readFileSync(name)).digest('hex'),
    ]),
  );
}

/** The lines of a run's file of records. */
export function records<R>(run: string, name: string): R[] {
  const lines = readFileSync(join(run, name), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as R);
}

/** The records of a run's matches, without their times and thinking times. */
export function matches(run: string): unknown[] {
  const all = ['gates.jsonl', 'evaluations.jsonl'].flatMap((name) => records<EvaluationRecord>(run, name));
  return all.map((record) => ({
    ...record,
    time: null,
    seconds: null,
    msPerMove: null,
    sha256: null,
  }));
}
