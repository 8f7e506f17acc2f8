import { decomposeCholesky, solveCholesky } from './cholesky.js';
import { fitDrawWeight, type GameMoments, momentsOfGame } from './draw-model.js';
import { QUANTILE_97_5 } from './normal-distribution.js';
import { countPairs, type Pentanomial } from './pentanomial.js';
import { reachableFrom } from './reachable.js';

/** The games between two players, from the view of the first one. */
export interface Pairing {
  /** Index of the first player. */
  readonly first: number;
  /** Index of the second player. */
  readonly second: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** `[5]` the same games counted as pairs: two games from one opening. */
  readonly pentanomial: Pentanomial;
}

/** The strength of a player in Elo above the anchor. */
export interface Rating {
  readonly rating: number;
  /** 95 % interval; null: unbounded. */
  readonly low: number | null;
  readonly high: number | null;
}

/** Ratings of players from their games with each other. */
export interface Ratings {
  /** `[N]` by player; null without games that connect the player with the anchor. */
  readonly players: readonly (Rating | null)[];
  /** Share of draws between equal players. */
  readonly drawShare: number;
}

/** Most players that are rated together: their ratings take seconds, whoever has met whom. */
export const MOST_PLAYERS = 500;

/**
 * Most iterations, the longest step of an iteration and the step that ends them: changes of the difference between two
 * players who have met, in logarithms of strength.
 */
const MOST_ITERATIONS = 500;
const LONGEST_STEP = 1;
const SMALL_STEP = 1e-9;

/** The assumed spread of a pairing, added to the measured one: that of four pairs of independent even games. */
const ASSUMED_VARIANCE = 2;

/** Games of two players, given by the indices of their free strengths; the anchor's index is -1. */
interface Edge {
  readonly one: number;
  readonly other: number;
  readonly games: number;
  readonly draws: number;
  readonly points: number;
  readonly pentanomial: Pentanomial;
}

function differenceOf({ one, other }: Edge, strengths: Float64Array): number {
  return (one < 0 ? 0 : strengths[one]!) - (other < 0 ? 0 : strengths[other]!);
}

/** Adds `value` times the outer product of the edge's vector, +1 at `one` and -1 at `other`, with itself. */
function addOuter(matrix: Float64Array, size: number, { one, other }: Edge, value: number): void {
  if (one >= 0) matrix[one * size + one]! += value;
  if (other >= 0) matrix[other * size + other]! += value;
  if (one < 0 || other < 0) return;
  matrix[one * size + other]! -= value;
  matrix[other * size + one]! -= value;
}

/** The inverse of a symmetric positive definite matrix. */
function invert(matrix: Float64Array, size: number): Float64Array {
  const factor = decomposeCholesky(matrix, size);
  const inverse = new Float64Array(size * size);
  for (let column = 0; column < size; column++) {
    const unit = new Float64Array(size);
    unit[column] = 1;
    inverse.set(solveCholesky(factor, unit), column * size);
  }
  return inverse;
}

/** The variance of the difference of an edge's strengths. */
function varianceOf({ one, other }: Edge, covariance: Float64Array, size: number): number {
  const at = (row: number, column: number): number =>
    row < 0 || column < 0 ? 0 : covariance[row * size + column]!;
  return at(one, one) + at(other, other) - 2 * at(one, other);
}

/** The state of the fit. */
interface Fit {
  /** `[n]` natural logarithms of the free players' strengths; the anchor's is 0. */
  readonly strengths: Float64Array;
  readonly drawWeight: number;
  readonly moments: readonly GameMoments[];
  /** `[n, n]` inverse of the Fisher information. */
  readonly covariance: Float64Array;
}

function fitAt(edges: readonly Edge[], strengths: Float64Array): Fit {
  const size = strengths.length;
  const differences = edges.map((edge) => differenceOf(edge, strengths));
  const drawWeight = fitDrawWeight(
    edges.map(({ games, draws }, index) => ({ difference: differences[index]!, games, draws })),
  );
  const moments = differences.map((difference) => momentsOfGame(difference, drawWeight));
  const information = new Float64Array(size * size);
  for (const [index, edge] of edges.entries()) {
    addOuter(information, size, edge, edge.games * moments[index]!.variance);
  }
  return { strengths, drawWeight, moments, covariance: invert(information, size) };
}

/** The gradient of the logarithm of the likelihood times Jeffreys' prior. */
function gradientOf(edges: readonly Edge[], { strengths, moments, covariance }: Fit): Float64Array {
  const size = strengths.length;
  const gradient = new Float64Array(size);
  for (const [index, edge] of edges.entries()) {
    const { mean, skew } = moments[index]!;
    const surprise = edge.points - edge.games * mean;
    const prior = (edge.games * skew * varianceOf(edge, covariance, size)) / 2;
    if (edge.one >= 0) gradient[edge.one]! += surprise + prior;
    if (edge.other >= 0) gradient[edge.other]! -= surprise + prior;
  }
  return gradient;
}

/** The greatest change of an edge's difference by a step. */
function lengthOf(step: Float64Array, edges: readonly Edge[]): number {
  return edges.reduce((most, edge) => Math.max(most, Math.abs(differenceOf(edge, step))), 0);
}

/** Fisher scoring from equal strengths. */
function fit(edges: readonly Edge[], size: number): Fit {
  let current = fitAt(edges, new Float64Array(size));
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const gradient = gradientOf(edges, current);
    const step = new Float64Array(size);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        step[row]! += current.covariance[row * size + column]! * gradient[column]!;
      }
    }
    const longest = lengthOf(step, edges);
    const factor = Math.min(1, LONGEST_STEP / longest);
    current = fitAt(
      edges,
      current.strengths.map((strength, index) => strength + factor * step[index]!),
    );
    if (longest < SMALL_STEP) break;
  }
  return current;
}

/**
 * The spread of the points of an edge's pairs relative to that of independent games. It is close to 1 if there are few
 * pairs or nearly all of them end alike, since these say little about it.
 */
function dispersionOf({ pentanomial }: Edge, { mean, variance }: GameMoments): number {
  const spread = pentanomial.reduce((sum, count, index) => sum + count * (index / 2 - 2 * mean) ** 2, 0);
  return (spread + ASSUMED_VARIANCE) / (2 * variance * countPairs(pentanomial) + ASSUMED_VARIANCE);
}

/** Standard errors of the free strengths: the sandwich estimator with the spread of pairs. */
function errorsOf(edges: readonly Edge[], { strengths, moments, covariance }: Fit): Float64Array {
  const size = strengths.length;
  const variances = new Float64Array(size);
  for (const [index, edge] of edges.entries()) {
    const spread = edge.games * moments[index]!.variance * dispersionOf(edge, moments[index]!);
    for (let player = 0; player < size; player++) {
      const one = edge.one < 0 ? 0 : covariance[player * size + edge.one]!;
      const other = edge.other < 0 ? 0 : covariance[player * size + edge.other]!;
      variances[player]! += spread * (one - other) ** 2;
    }
  }
  return variances.map(Math.sqrt);
}

/**
 * Rates players by maximum likelihood under Davidson's model of draws (draw-model.ts) with Jeffreys' prior. The prior
 * keeps the rating finite if a player won or lost every game, and removes most of the bias of few games. The interval
 * of such a player is unbounded on that side. Errors follow from the spread of the pairs' points, since the games of a
 * pair are not independent.
 *
 * Ratings are in Elo: between players of similar strength, a difference is the Elo difference at their expected score,
 * whatever the share of draws.
 *
 * @param count number of players, at most `MOST_PLAYERS`.
 * @param anchor the player whose rating is 0.
 * @see Firth 1993, "Bias reduction of maximum likelihood estimates" (Jeffreys' prior); White 1982, "Maximum likelihood
 * estimation of misspecified models" (errors); Coulom's BayesElo for the scale.
 */
export function ratePlayers(pairings: readonly Pairing[], count: number, anchor: number): Ratings {
  const played = pairings.filter(({ wins, draws, losses }) => wins + draws + losses > 0);
  const took = played.flatMap(({ first, second, wins, draws, losses }) => [
    ...(wins + draws > 0 ? [[first, second] as const] : []),
    ...(losses + draws > 0 ? [[second, first] as const] : []),
  ]);
  const meetings = new Float64Array(count);
  for (const { first, second } of played) for (const player of [first, second]) meetings[player]! += 1;
  const connected = reachableFrom(anchor, [...took, ...took.map(([one, other]) => [other, one] as const)]);
  // Players with many opponents come last, so that the matrix has its entries near the diagonal and in its last rows.
  const free = Array.from({ length: count }, (_, player) => player)
    .filter((player) => player !== anchor && connected.has(player))
    .sort((one, other) => meetings[one]! - meetings[other]!);
  const placeOf = new Map(free.map((player, place) => [player, place]));
  const edges = played
    .filter(({ first }) => connected.has(first))
    .map(({ first, second, wins, draws, losses, pentanomial }): Edge => ({
      one: placeOf.get(first) ?? -1,
      other: placeOf.get(second) ?? -1,
      games: wins + draws + losses,
      draws,
      points: wins + draws / 2,
      pentanomial,
    }));
  const fitted = fit(edges, free.length);
  const errors = errorsOf(edges, fitted);
  const below = reachableFrom(anchor, took);
  const above = reachableFrom(
    anchor,
    took.map(([one, other]) => [other, one] as const),
  );
  const scale = ((400 / Math.LN10) * 2) / (2 + fitted.drawWeight);
  const ratingOf = (player: number): Rating | null => {
    if (player === anchor) return { rating: 0, low: 0, high: 0 };
    const place = placeOf.get(player);
    if (place === undefined) return null;
    const rating = scale * fitted.strengths[place]!;
    const margin = scale * QUANTILE_97_5 * errors[place]!;
    return {
      rating,
      low: above.has(player) ? rating - margin : null,
      high: below.has(player) ? rating + margin : null,
    };
  };
  return {
    players: Array.from({ length: count }, (_, player) => ratingOf(player)),
    drawShare: fitted.drawWeight / (2 + fitted.drawWeight),
  };
}
