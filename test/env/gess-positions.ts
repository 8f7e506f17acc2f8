import type { Rng } from '../../env/random.js';
import { boardText, ringAt, type Stone } from './gess-boards.js';

/** A number of `low` to `high`, in about half of the cases one of the two at either end. */
function nearEnds(low: number, high: number, rng: Rng): number {
  const inside = low + rng.integer(high - low + 1);
  return [low, low + 1, high - 1, high, inside, inside, inside, inside][rng.integer(8)]!;
}

/** A square of rows and columns `low` to `high`, often at the edge. */
function squareNearEdge(low: number, high: number, rng: Rng): number {
  return nearEnds(low, high, rng) * 20 + nearEnds(low, high, rng);
}

/** A position with a ring of each side, unless one spoils the other, and `count` other stones, often at the edge. */
export function ringsAndStones(count: number, rng: Rng): string {
  const black = squareNearEdge(2, 17, rng);
  const white = squareNearEdge(2, 17, rng);
  const others = Array.from({ length: count }, (): Stone => {
    return { color: rng.integer(2) === 0 ? 'b' : 'w', square: squareNearEdge(1, 18, rng) };
  }).filter(({ square }) => square !== black && square !== white);
  const board = boardText([...others, ...ringAt('b', black), ...ringAt('w', white)]);
  return `${board} ${rng.integer(2) === 0 ? 'b' : 'w'} ${rng.integer(300)}`;
}
