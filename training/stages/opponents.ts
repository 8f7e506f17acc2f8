import { exists } from '../../data/files/atomic-file.js';
import { playOptionsOf } from '../config/groups/evaluation-config.js';
import type { RunConfig } from '../config/run-config.js';
import { networkAgent } from '../matches/network-agent.js';
import { isSaturated } from '../matches/saturation.js';
import type { Run } from '../run/run-folder.js';
import type { RunPaths } from '../run/run-paths.js';
import {
  type EvaluationRecord,
  generationOfKey,
  keyOfGeneration,
  type MetricsRecord,
} from '../run/run-records.js';
import { learningSeconds } from '../learning/learn-statistics.js';

/** The text of the agent that plays a generation in the matches of a run. */
export function agentOfGeneration(
  { evaluation }: Pick<RunConfig, 'evaluation'>,
  paths: RunPaths,
  generation: number,
): string {
  return networkAgent(paths.checkpoint(generation), evaluation.simulations, playOptionsOf(evaluation));
}

/** The text of an opponent, by its key in the records. */
export function agentOfKey(config: RunConfig, paths: RunPaths, key: string): string {
  const generation = generationOfKey(key);
  return generation === null ? key : agentOfGeneration(config, paths, generation);
}

/** Whether the generation plays matches. */
function isDue({ evaluation, generations }: RunConfig, generation: number): boolean {
  const { every } = evaluation;
  return every > 0 && (generation % every === 0 || generation === generations);
}

/** Keys of the possible opponents of a generation. */
async function candidatesFor({ config, paths }: Run, generation: number): Promise<readonly string[]> {
  const { every, earlier, opponents, playsFirst } = config.evaluation;
  if (!isDue(config, generation)) return [];
  const before: number[] = [];
  const newest = Math.floor((generation - 1) / every) * every;
  for (let each = newest; each >= 0 && before.length < earlier; each -= every) before.push(each);
  if (playsFirst && generation > 0) before.push(0);
  const keys: string[] = [];
  for (const each of new Set(before)) {
    if (await exists(paths.checkpoint(each))) keys.push(keyOfGeneration(each));
  }
  return [...new Set([...opponents, ...keys])];
}

/**
 * Keys of the opponents that a generation has not played yet, in order: opponents that no generation has played for the
 * longest time come first. Opponents that earlier generations have saturated are left out (saturation.ts).
 *
 * @param records of the run's matches.
 */
export async function remainingOpponents(
  run: Run,
  generation: number,
  records: readonly Pick<EvaluationRecord, 'generation' | 'key' | 'score' | 'games'>[],
): Promise<readonly string[]> {
  // A generation without its checkpoint cannot play.
  if (!(await exists(run.paths.checkpoint(generation)))) return [];
  const lastPlayed = (key: string): number =>
    records.reduce(
      (last, each) =>
        each.key === key && each.generation < generation ? Math.max(last, each.generation) : last,
      -1,
    );
  return (await candidatesFor(run, generation))
    .filter((key) => {
      const own = records.filter((record) => record.key === key);
      return !own.some((record) => record.generation === generation) && !isSaturated(own, generation);
    })
    .map((key) => ({ key, last: lastPlayed(key) }))
    .sort((a, b) => a.last - b.last)
    .map(({ key }) => key);
}

/** Working time of a run up to a generation, in seconds summed over processes: games, learning and matches. */
function workingSeconds(
  processes: number,
  metrics: readonly Pick<MetricsRecord, 'effort' | 'learning'>[],
  matchSeconds: number,
): number {
  return metrics.reduce(
    (sum, { effort, learning }) => sum + effort.seconds + processes * learningSeconds(learning),
    matchSeconds,
  );
}

/**
 * Whether a generation may begin a match, because the run's matches so far took less than their share of its working
 * time. Only recorded times of generations up to this one count, so that a resumed run makes the same decision.
 */
export function hasTimeForMatch(
  { evaluation, selfPlay }: Pick<RunConfig, 'evaluation' | 'selfPlay'>,
  generation: number,
  records: {
    readonly metrics: readonly Pick<MetricsRecord, 'generation' | 'effort' | 'learning'>[];
    readonly evaluations: readonly Pick<EvaluationRecord, 'generation' | 'seconds'>[];
  },
): boolean {
  const { timeShare } = evaluation;
  if (timeShare === 1) return true;
  const upTo = (record: { readonly generation: number }): boolean => record.generation <= generation;
  const spent = records.evaluations.filter(upTo).reduce((sum, { seconds }) => sum + seconds, 0);
  return spent < timeShare * workingSeconds(selfPlay.processes, records.metrics.filter(upTo), spent);
}
