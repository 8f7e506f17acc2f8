import type { Action, Game, Player } from '../../env/game.js';
import { createRng } from '../../env/random.js';
import type { OpeningBook } from '../openings/opening-book.js';
import { continueOpening, drawOpening } from '../play/opening.js';
import { shuffle } from '../statistics/shuffle.js';
import type { GamePlan } from './match-game.js';

/** Random plies added to a book's opening each time it is reused. */
const FURTHER_PLIES = 2;

/** The openings of a match: a book, in an order that depends on the seed, or a number of careful random plies. */
export type MatchOpenings = { readonly book: OpeningBook } | { readonly plies: number };

/** The numbers below `length` in random order. */
function shuffled(length: number, seed: number): Int32Array {
  const order = Int32Array.from({ length }, (_, index) => index);
  shuffle(order, createRng(seed, 'openings'));
  return order;
}

/**
 * Plans the games of the first `pairs` pairs: each opening twice, with colours exchanged. A larger match begins with
 * the games of a smaller one. Once all openings of a book have been played, they are reused with two more random plies.
 *
 * @throws TrainingError `opening-too-long`.
 */
export function planGames<State>(
  game: Game<State>,
  openings: MatchOpenings,
  { pairs, seed }: { readonly pairs: number; readonly seed: number },
): readonly GamePlan[] {
  const order = 'book' in openings ? shuffled(openings.book.openings.length, seed) : null;
  const openingOf = (pair: number): readonly Action[] => {
    const rng = createRng(seed, 'opening', pair);
    if (!('book' in openings)) return drawOpening(game, rng, openings.plies);
    const line = openings.book.openings[order![pair % order!.length]!]!;
    const round = Math.floor(pair / order!.length);
    return round === 0 ? line : continueOpening(game, line, rng, FURTHER_PLIES * round);
  };
  return Array.from({ length: pairs }, (_, pair) => openingOf(pair)).flatMap((opening, pair) =>
    ([0, 1] as const).map((agentPlayer: Player) => ({ pair, agentPlayer, opening })),
  );
}
