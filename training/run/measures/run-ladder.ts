import {
  DEFAULT_ANCHOR,
  type RatedMatch,
  type RatedPlayer,
  type Standings,
  standingsOf,
} from '../../matches/ladder/standings.js';
import { type EvaluationRecord, generationOfKey, keyOfGeneration } from '../run-records.js';

/** Ratings of a run's generations and opponents. */
export interface RunLadder {
  readonly standings: Standings;
  /** Name of the player whose rating is 0. */
  readonly anchor: string;
}

/**
 * Rates the generations of a run and their opponents by the run's matches; null without any. The anchor is
 * `alphabeta:depth=1`, or else the first opponent.
 */
export function ladderOfRun(
  evaluations: readonly Pick<
    EvaluationRecord,
    'generation' | 'key' | 'wins' | 'draws' | 'losses' | 'pentanomial'
  >[],
): RunLadder | null {
  const [first] = evaluations;
  if (first === undefined) return null;
  const players: RatedPlayer[] = [];
  const placeOf = (key: string): number => {
    const found = players.findIndex(({ name }) => name === key);
    if (found >= 0) return found;
    const generation = generationOfKey(key);
    return players.push({ name: key, series: generation === null ? null : 'generations', generation }) - 1;
  };
  const matches = evaluations.map((result): RatedMatch => {
    const own = placeOf(keyOfGeneration(result.generation));
    return { first: own, second: placeOf(result.key), result };
  });
  const anchor = players.some(({ name }) => name === DEFAULT_ANCHOR) ? DEFAULT_ANCHOR : first.key;
  return { standings: standingsOf(players, matches, placeOf(anchor)), anchor };
}
