import type { MatchResult } from '../match-result.js';
import { ratePlayers } from '../../statistics/ratings.js';

/** The player whose rating is 0, if the ladder has it and names no other. */
export const DEFAULT_ANCHOR = 'alphabeta:depth=1';

/** A player to rate. */
export interface RatedPlayer {
  readonly name: string;
  /** The run of a checkpoint; null for a fixed agent. */
  readonly series: string | null;
  /** Null for a fixed agent. */
  readonly generation: number | null;
}

/** A match of two rated players, by their indices. */
export interface RatedMatch {
  readonly first: number;
  readonly second: number;
  /** From the view of `first`. */
  readonly result: Pick<MatchResult, 'wins' | 'draws' | 'losses' | 'pentanomial'>;
}

/** The place of a player in a ladder; plain JSON. */
export interface Standing extends RatedPlayer {
  /** Elo above the anchor; null without games that connect it with the anchor. */
  readonly rating: number | null;
  /** 95 % interval; null: unbounded. */
  readonly low: number | null;
  readonly high: number | null;
  readonly games: number;
  /** Points over games, in [0, 1]; null without games. */
  readonly score: number | null;
}

/** Ratings of the players of a ladder; plain JSON. */
export interface Standings {
  /** Best first; those without a rating last. */
  readonly players: readonly Standing[];
  /** Share of draws between equal players. */
  readonly drawShare: number;
}

/** Points and games of a player. */
function totalsOf(matches: readonly RatedMatch[], place: number): { points: number; games: number } {
  let [points, games] = [0, 0];
  for (const { first, second, result } of matches) {
    if (first !== place && second !== place) continue;
    points += (first === place ? result.wins : result.losses) + result.draws / 2;
    games += result.wins + result.draws + result.losses;
  }
  return { points, games };
}

/**
 * Rates the players of matches (statistics/ratings.ts).
 *
 * @param anchor index of the player whose rating is 0.
 */
export function standingsOf(
  players: readonly RatedPlayer[],
  matches: readonly RatedMatch[],
  anchor: number,
): Standings {
  const pairings = matches.map(({ first, second, result: { wins, draws, losses, pentanomial } }) => {
    return { first, second, wins, draws, losses, pentanomial };
  });
  const ratings = ratePlayers(pairings, players.length, anchor);
  const standings = players.map(({ name, series, generation }, place): Standing => {
    const { points, games } = totalsOf(matches, place);
    const rating = ratings.players[place] ?? { rating: null, low: null, high: null };
    return { name, series, generation, ...rating, games, score: games === 0 ? null : points / games };
  });
  return {
    players: standings.sort((a, b) => (b.rating ?? -Infinity) - (a.rating ?? -Infinity)),
    drawShare: ratings.drawShare,
  };
}

/** The matches, with their players as indices of the standings instead of `players`. */
export function matchesByStanding<Match extends RatedMatch>(
  players: readonly RatedPlayer[],
  matches: readonly Match[],
  standings: Standings,
): readonly Match[] {
  const placeOf = (index: number): number =>
    standings.players.findIndex(({ name }) => name === players[index]!.name);
  return matches.map((match) => ({
    ...match,
    first: placeOf(match.first),
    second: placeOf(match.second),
  }));
}
