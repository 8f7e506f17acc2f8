import type { MetricsRecord } from '../../training/run/run-records.js';

/**
 * Processes that played the games of a record, on all machines.
 *
 * @param own processes of the run's machine.
 */
export function processesOf({ machines }: MetricsRecord, own: number): number {
  return own + (machines?.processes ?? 0);
}

/** Counts a second of self-play, of all processes together. */
interface PlaySpeed {
  readonly evaluations: number;
  readonly games: number;
  readonly positions: number;
}

/**
 * The speed of the self-play of a record; null if its process has played nothing.
 *
 * @param own processes of the run's machine.
 */
export function playSpeed(record: MetricsRecord, own: number): PlaySpeed | null {
  const { effort, games } = record;
  if (effort.seconds === 0) return null;
  const perSecond = (count: number): number => (count / effort.seconds) * processesOf(record, own);
  return {
    evaluations: perSecond(effort.networkEvaluations),
    // Records of earlier versions do not say how many of their games are new.
    games: perSecond(effort.games ?? games.games),
    positions: perSecond(effort.positions ?? games.positions),
  };
}
