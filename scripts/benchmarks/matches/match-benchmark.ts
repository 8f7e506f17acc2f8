import { availableParallelism } from 'node:os';
import { coresFor } from '../../../training/workers/core-binding.js';
import { resultOfChild } from '../child-result.js';
import { LIMIT_MS, type TimedAgent, type TimedSearches, type TimedWork } from './timed-searches.js';

const PROCESS = './matches/timed-search-process.js';

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(number: number): number {
  return Math.round(number * 1000) / 1000;
}

/** Runs the timed searches in a process on each core, at once. */
function measureOn(cores: readonly number[]): Promise<readonly TimedSearches[]> {
  return Promise.all(cores.map((core) => resultOfChild<TimedSearches>(PROCESS, { core })));
}

function ratesOf(
  agent: TimedAgent,
  alone: readonly TimedSearches[],
  together: readonly TimedSearches[],
): Readonly<Record<string, number>> {
  const of = (runs: readonly TimedSearches[], read: (work: TimedWork) => number): number =>
    mean(runs.map(({ work }) => read(work[agent])));
  const ratio = (read: (work: TimedWork) => number): number => round(of(together, read) / of(alone, read));
  return {
    [`${agent}WorkPerMoveAlone`]: Math.round(of(alone, ({ workPerMove }) => workPerMove)),
    [`${agent}TogetherToAlone`]: ratio(({ workPerMove }) => workPerMove),
    [`${agent}TogetherToAloneByProcessorTime`]: ratio(({ workPerProcessorSecond }) => workPerProcessorSecond),
    [`${agent}TimeToLimit`]: round(of([...alone, ...together], ({ meanMs }) => meanMs) / LIMIT_MS),
    [`${agent}LongestMs`]: Math.round(
      Math.max(...[...alone, ...together].map(({ work }) => work[agent].longestMs)),
    ),
  };
}

/**
 * Measures searches of one second per move, as in matches with a time limit and `--bind-cores`: alone on the first
 * core, on all cores together, and alone on the last core. The results are nodes and simulations per move, thinking
 * time relative to the limit, and the memory of a process with both players.
 */
export async function benchMatches(): Promise<Readonly<Record<string, number>>> {
  const cores = coresFor(availableParallelism());
  const first = await measureOn(cores.slice(0, 1));
  const together = await measureOn(cores);
  const alone = [...first, ...(await measureOn(cores.slice(-1)))];
  return {
    ...ratesOf('alphaBeta', alone, together),
    ...ratesOf('network', alone, together),
    peakMegabytes: Math.round(Math.max(...[...alone, ...together].map((each) => each.peakMegabytes))),
  };
}
