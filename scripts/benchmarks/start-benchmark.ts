import { spawnSync } from 'node:child_process';
import { LAUNCHER } from './launcher.js';

const REPETITIONS = 5;

/**
 * A module that writes the processor time of its process, in microseconds, to descriptor 3 at the end. The threads of
 * the process load it too, and are part of that time.
 */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeSync(3, String(user + system));
  });`)}`;

/** Results of the start section of `gess bench`: seconds of processor time from start to end, medians of 5 runs. */
export interface StartSeconds {
  /** Node itself, with an empty program. */
  readonly node: number;
  readonly version: number;
  readonly perft1: number;
  /** `analyze` with one simulation of the shipped network. */
  readonly analyzeNetwork: number;
}

const PROGRAMS: Readonly<Record<keyof StartSeconds, readonly string[]>> = {
  node: ['--eval', '0'],
  version: [LAUNCHER, '--version'],
  perft1: [LAUNCHER, 'perft', '1'],
  analyzeNetwork: [LAUNCHER, 'analyze', '--agent', 'mcts:model=gess,simulations=1'],
};

function processorSeconds(words: readonly string[]): number {
  const { status, output } = spawnSync(process.execPath, ['--import', REPORT, ...words], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`expected exit code 0 of ${words.join(' ')}, got ${status}`);
  return Number(output[3]) / 1e6;
}

/** Measures the duration of commands that do almost no work. */
export function benchStart(): StartSeconds {
  const seconds = Object.entries(PROGRAMS).map(([name, words]) => {
    const runs = Array.from({ length: REPETITIONS }, () => processorSeconds(words)).sort((a, b) => a - b);
    return [name, runs[REPETITIONS >> 1]!] as const;
  });
  return Object.fromEntries(seconds) as unknown as StartSeconds;
}
