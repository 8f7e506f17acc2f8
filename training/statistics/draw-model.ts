/**
 * Davidson's model of games with draws: if the players have the strengths `a` and `b`, the probabilities of a win, a
 * draw and a loss are in the ratio `a : n sqrt(a b) : b`. For decided games, it is the model of Bradley and Terry.
 *
 * @see Davidson 1970, "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments".
 */

/** Moments of the points (0, ½, 1) of a game. */
export interface GameMoments {
  /** Expected points. */
  readonly mean: number;
  readonly variance: number;
  /** Third central moment, which is the derivative of the variance with respect to the difference of strengths. */
  readonly skew: number;
  /** Probability of a draw. */
  readonly draw: number;
}

/**
 * The moments of the first player's points in one game.
 *
 * @param difference of the natural logarithms of the strengths, first minus second.
 * @param drawWeight `n`, at least 0; `n / (2 + n)` of the games between equal players are drawn.
 */
export function momentsOfGame(difference: number, drawWeight: number): GameMoments {
  const up = Math.exp(difference / 2);
  const down = Math.exp(-difference / 2);
  const sum = up + down + drawWeight;
  const [win, draw, loss] = [up / sum, drawWeight / sum, down / sum];
  const mean = win + draw / 2;
  const variance = win * (1 - mean) ** 2 + draw * (0.5 - mean) ** 2 + loss * mean ** 2;
  const skew = win * (1 - mean) ** 3 + draw * (0.5 - mean) ** 3 - loss * mean ** 3;
  return { mean, variance, skew, draw };
}

/** Games between players of one difference in strength, and how many of them were drawn. */
export interface DrawnGames {
  readonly difference: number;
  readonly games: number;
  readonly draws: number;
}

/** Halvings of the interval of logarithms that contains the weight. */
const HALVINGS = 60;
/** Bounds of the logarithm of the weight. */
const LOG_LIMIT = 20;

/** The most likely weight of draws; 0 without draws. If all games were drawn, half a game counts as decided. */
export function fitDrawWeight(parts: readonly DrawnGames[]): number {
  const games = parts.reduce((sum, part) => sum + part.games, 0);
  const draws = parts.reduce((sum, part) => sum + part.draws, 0);
  if (draws === 0) return 0;
  const target = Math.min(draws, games - 0.5);
  let [low, high] = [-LOG_LIMIT, LOG_LIMIT];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    let expected = 0;
    for (const part of parts) {
      expected += part.games * momentsOfGame(part.difference, Math.exp(middle)).draw;
    }
    if (expected < target) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}
