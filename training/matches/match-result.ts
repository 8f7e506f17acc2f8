import * as z from 'zod';
import { EloEstimate, estimateElo } from '../statistics/elo.js';
import { type Pentanomial, pentanomialOf } from '../statistics/pentanomial.js';
import type { MatchGame } from './match-game.js';

const count = z.int().min(0);

/** Mean thinking time of each agent. */
const MsPerMove = z.strictObject({ agent: z.number().min(0), opponent: z.number().min(0) });

/** A match, from the first agent's view. */
export const MatchResult = EloEstimate.extend({
  wins: count,
  /** Games that were drawn by the rules, or truncated. */
  draws: count,
  losses: count,
  /** Draws by reaching the ply limit. */
  truncated: count,
  /** Games that each agent lost by a move that took too long or by a fault of its program. */
  forfeits: z.strictObject({ agent: count, opponent: count }),
  /** `[5]` numbers of pairs with 0, ½, 1, 1½ and 2 points. */
  pentanomial: z.array(count).length(5).readonly(),
  meanPlies: z.number().min(0),
  msPerMove: MsPerMove,
});
export type MatchResult = z.infer<typeof MatchResult>;

/** The pairs whose two games have ended, in order; in each pair, the game of the agent as player 0 comes first. */
export function completePairs(games: readonly MatchGame[]): readonly (readonly MatchGame[])[] {
  const pairs = new Map<number, MatchGame[]>();
  const inOrder = games.toSorted((a, b) => a.agentPlayer - b.agentPlayer);
  for (const game of inOrder) pairs.set(game.pair, [...(pairs.get(game.pair) ?? []), game]);
  return Array.from(pairs.values())
    .filter((pair) => pair.length === 2)
    .sort(([a], [b]) => a!.pair - b!.pair);
}

/** Counts the pairs by their points. */
export function countPoints(pairs: readonly (readonly MatchGame[])[]): Pentanomial {
  return pentanomialOf(pairs.map(([one, other]) => one!.points + other!.points));
}

/** Mean thinking time per move of an agent: 0 is the first one, 1 its opponent. */
function meanMs(games: readonly MatchGame[], side: 0 | 1): number {
  let total = 0;
  let moves = 0;
  for (const game of games) {
    for (const move of game.moves) {
      if (move.side !== side) continue;
      total += move.ms;
      moves += 1;
    }
  }
  return moves === 0 ? 0 : total / moves;
}

/** Plies of a game, its opening included. */
function pliesOf({ opening, moves, end }: MatchGame): number {
  return opening.length + moves.length - (end === 'time' ? 1 : 0);
}

/** The result of the complete pairs of a match, at least one. */
export function summarizeMatch(pairs: readonly (readonly MatchGame[])[]): MatchResult {
  const games = pairs.flat();
  const pentanomial = countPoints(pairs);
  const count = (points: number): number => games.filter((game) => game.points === points).length;
  const forfeitsOf = (points: number): number =>
    games.filter(({ end, points: won }) => end !== 'rules' && end !== 'plies' && won === points).length;
  return {
    wins: count(1),
    draws: count(0.5),
    losses: count(0),
    truncated: games.filter(({ end }) => end === 'plies').length,
    forfeits: { agent: forfeitsOf(0), opponent: forfeitsOf(1) },
    ...estimateElo(pentanomial),
    pentanomial,
    meanPlies: games.reduce((sum, game) => sum + pliesOf(game), 0) / games.length,
    msPerMove: { agent: meanMs(games, 0), opponent: meanMs(games, 1) },
  };
}
