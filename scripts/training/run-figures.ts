import { median } from '../../training/statistics/median.js';
import { generationOfKey, type MetricsRecord } from '../../training/run/run-records.js';
import { playSpeed } from '../report/play-speed.js';
import type { RunMoment } from './run-reader.js';

/** Most generations that the time of the next ones is estimated from. */
const RECENT = 5;

/** Durations of a run in seconds; null where unknown. */
export interface RunTimes {
  readonly stageLeft: number | null;
  readonly runLeft: number | null;
}

/** Seconds of a generation, matches included: the median of the newest ones that one process made without a break. */
function secondsAGeneration({ metrics }: RunMoment): number | null {
  const spans = metrics.slice(1).flatMap((record, index) => {
    const before = metrics[index]!;
    return before.processId === record.processId ? [record.time - before.time] : [];
  });
  return spans.length === 0 ? null : median(spans.slice(-RECENT));
}

/**
 * Time to the end of the stage and of the run.
 *
 * @param now seconds since 1970.
 */
export function timesOf(moment: RunMoment, now: number): RunTimes {
  const { live, metrics, config, status } = moment;
  if (status !== 'running' || live === null) return { stageLeft: null, runLeft: null };
  const { stage } = live;
  const perSecond = stage?.perSecond ?? 0;
  const stageLeft =
    stage === null || perSecond === 0
      ? null
      : Math.max(0, (stage.total - stage.done) / perSecond - (now - live.time));
  const each = secondsAGeneration(moment);
  const last = metrics.at(-1);
  if (each === null || last === undefined) return { stageLeft, runLeft: null };
  const passed = Math.min(each, now - Math.max(last.time, live.since));
  return {
    stageLeft,
    runLeft: Math.max(stageLeft ?? 0, (config.generations - last.generation) * each - passed),
  };
}

function speedOf(record: MetricsRecord | undefined, { config }: RunMoment): ReturnType<typeof playSpeed> {
  return record === undefined ? null : playSpeed(record, config.selfPlay.processes);
}

/** Network evaluations a second of the newest self-play, of all processes together; null before any. */
export function evaluationsPerSecond(moment: RunMoment): number | null {
  const record = moment.metrics.findLast(({ effort: { networkEvaluations } }) => networkEvaluations > 0);
  return speedOf(record, moment)?.evaluations ?? null;
}

/** Games a second of the newest self-play, of all processes together; null before any. */
export function gamesPerSecond(moment: RunMoment): number | null {
  const record = moment.metrics.findLast(({ effort }) => effort.seconds > 0);
  return speedOf(record, moment)?.games ?? null;
}

/** The newest match with each fixed opponent, the newest first. */
export function newestMatches({ evaluations }: RunMoment): RunMoment['evaluations'] {
  const fixed = evaluations.filter(({ key }) => generationOfKey(key) === null);
  const keys = [...new Set(fixed.map(({ key }) => key))];
  return keys
    .map((key) => fixed.findLast((record) => record.key === key)!)
    .sort((a, b) => b.generation - a.generation);
}
