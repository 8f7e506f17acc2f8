import {
  DEFAULT_ANCHOR,
  type RatedMatch,
  type RatedPlayer,
  type Standings,
  standingsOf,
} from '../../matches/ladder/standings.js';
import { MOST_PLAYERS } from '../../statistics/ratings.js';
import { type EvaluationRecord, generationOfKey, keyOfGeneration } from '../run-records.js';

/** Ratings of a run's generations and opponents. */
export interface RunLadder {
  readonly standings: Standings;
  /** Name of the player whose rating is 0. */
  readonly anchor: string;
}

/** The part of a record that ratings depend on. */
type Rated = Pick<EvaluationRecord, 'generation' | 'key' | 'wins' | 'draws' | 'losses' | 'pentanomial'>;

/** The newest matches that have at most `MOST_PLAYERS` players. */
function newestOf(evaluations: readonly Rated[]): readonly Rated[] {
  const names = new Set<string>();
  const start = evaluations.findLastIndex(({ generation, key }) => {
    names.add(keyOfGeneration(generation)).add(key);
    return names.size > MOST_PLAYERS;
  });
  return evaluations.slice(start + 1);
}

/**
 * Rates the newest generations of a run and their opponents, at most `MOST_PLAYERS`, by the run's matches; null without
 * any. The anchor is `alphabeta:depth=1`, or else the first opponent.
 *
 * @param evaluations in the order of the generations.
 */
export function ladderOfRun(evaluations: readonly Rated[]): RunLadder | null {
  const rated = newestOf(evaluations);
  const [first] = rated;
  if (first === undefined) return null;
  const players: RatedPlayer[] = [];
  const placeOf = (key: string): number => {
    const found = players.findIndex(({ name }) => name === key);
    if (found >= 0) return found;
    const generation = generationOfKey(key);
    return players.push({ name: key, series: generation === null ? null : 'generations', generation }) - 1;
  };
  const matches = rated.map((result): RatedMatch => {
    const own = placeOf(keyOfGeneration(result.generation));
    return { first: own, second: placeOf(result.key), result };
  });
  const anchor = players.some(({ name }) => name === DEFAULT_ANCHOR) ? DEFAULT_ANCHOR : first.key;
  return { standings: standingsOf(players, matches, placeOf(anchor)), anchor };
}
