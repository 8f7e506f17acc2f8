import type { Rng } from '../../../env/random.js';
import { boardText, ringAt, type Stone } from './gess-boards.js';

/** A number from `low` to `high`; in about half of the cases one of the two lowest or highest. */
function nearEnds(low: number, high: number, rng: Rng): number {
  const inside = low + rng.integer(high - low + 1);
  return [low, low + 1, high - 1, high, inside, inside, inside, inside][rng.integer(8)]!;
}

/** A square of rows and columns `low` to `high`, often at the edge. */
function squareNearEdge(low: number, high: number, rng: Rng): number {
  return nearEnds(low, high, rng) * 20 + nearEnds(low, high, rng);
}

/** A stone, often at the edge; in half of the cases with one behind it, which lets it cross the board. */
function stoneOrPair(rng: Rng): Stone[] {
  const color = rng.integer(2) === 0 ? 'b' : 'w';
  const row = nearEnds(1, 18, rng);
  const column = nearEnds(1, 18, rng);
  const stone: Stone = { color, square: row * 20 + column };
  if (rng.integer(2) === 0) return [stone];
  const inward = rng.integer(2) === 0 ? (row < 10 ? 20 : -20) : column < 10 ? 1 : -1;
  return [stone, { color, square: stone.square + inward }];
}

/**
 * A position with a ring of each side, unless other stones break it, and `count` more stones or pairs, often
 * at the edge.
 */
export function ringsAndStones(count: number, rng: Rng): string {
  const black = squareNearEdge(2, 17, rng);
  const white = squareNearEdge(2, 17, rng);
  const others = Array.from({ length: count }, () => stoneOrPair(rng))
    .flat()
    .filter(({ square }) => square !== black && square !== white);
  const board = boardText([...others, ...ringAt('b', black), ...ringAt('w', white)]);
  return `${board} ${rng.integer(2) === 0 ? 'b' : 'w'} ${rng.integer(300)}`;
}
