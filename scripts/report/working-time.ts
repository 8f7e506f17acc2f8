import type { EvaluationRecord, MetricsRecord } from '../../training/run/run-records.js';
import { processesOf } from './play-speed.js';
import { learningSeconds } from '../../training/learning/learn-statistics.js';

/** The time of a generation by its parts, in seconds of the run's working time. */
export interface GenerationTime {
  readonly generation: number;
  readonly selfPlay: number;
  readonly learning: number;
  readonly matches: number;
}

/**
 * The time of each learnt generation. For self-play and matches, which run in several processes, it is the mean of
 * these.
 *
 * @param own processes of the run's machine that play at once.
 */
export function generationTimes(
  metrics: readonly MetricsRecord[],
  evaluations: readonly EvaluationRecord[],
  own: number,
): readonly GenerationTime[] {
  const matchSeconds = new Map<number, number>();
  for (const { generation, seconds } of evaluations) {
    matchSeconds.set(generation, (matchSeconds.get(generation) ?? 0) + seconds);
  }
  return metrics.map((record) => {
    const { generation, effort, learning } = record;
    const processes = processesOf(record, own);
    return {
      generation,
      selfPlay: effort.seconds / processes,
      learning: learningSeconds(learning),
      matches: (matchSeconds.get(generation) ?? 0) / processes,
    };
  });
}

/** Working hours from the beginning of the run to the end of each generation, without pauses. */
export function hoursByGeneration(times: readonly GenerationTime[]): ReadonlyMap<number, number> {
  const hours = new Map<number, number>([[0, 0]]);
  let seconds = 0;
  for (const { generation, selfPlay, learning, matches } of times) {
    seconds += selfPlay + learning + matches;
    hours.set(generation, seconds / 3600);
  }
  return hours;
}
