import { decomposeCholesky, solveCholesky } from '../statistics/cholesky.js';

/** Rows to fit: the terms of each position and the result of its game. `N` rows, `T` terms. */
export interface FittingRows {
  readonly rows: number;
  readonly terms: number;
  /** `[N, T]` terms to the player to move. */
  readonly features: Float64Array;
  /** `[N]` results to the player to move: 1 won, 0.5 drawn, 0 lost. */
  readonly results: Float64Array;
}

/** Settings of a fit. */
export interface FittingOptions {
  /** `[T]` initial weights, towards which the fit is pulled. */
  readonly start: Float64Array;
  /** Strength of the pull, at least 0: the number of rows whose influence equals it. */
  readonly pull: number;
  readonly iterations: number;
}

function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function logitOf({ features, terms }: FittingRows, weights: Float64Array, row: number): number {
  let logit = 0;
  for (let term = 0; term < terms; term++) logit += features[row * terms + term]! * weights[term]!;
  return logit;
}

/** Mean cross-entropy of the results under `weights`, in nats; a coin flip has 0.693. */
export function crossEntropy(rows: FittingRows, weights: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < rows.rows; row++) {
    const logit = logitOf(rows, weights, row);
    const result = rows.results[row]!;
    // log(1 + e^x) without overflow.
    const softplus = Math.max(logit, 0) + Math.log1p(Math.exp(-Math.abs(logit)));
    sum += softplus - result * logit;
  }
  return sum / rows.rows;
}

/** Adds the rows' contributions to the gradient and to the matrix of second derivatives. */
function addRows(
  rows: FittingRows,
  weights: Float64Array,
  gradient: Float64Array,
  hessian: Float64Array,
): void {
  const { terms, features, results } = rows;
  for (let row = 0; row < rows.rows; row++) {
    const expected = logistic(logitOf(rows, weights, row));
    const error = expected - results[row]!;
    const curvature = expected * (1 - expected);
    for (let i = 0; i < terms; i++) {
      const feature = features[row * terms + i]!;
      if (feature === 0) continue;
      gradient[i]! += error * feature;
      for (let j = 0; j <= i; j++)
        hessian[i * terms + j]! += curvature * feature * features[row * terms + j]!;
    }
  }
}

/**
 * Fits the weights of a logistic function of the features to the results, by Newton's method. The pull keeps weights at
 * their initial values if the rows say nothing about them.
 *
 * @returns `[T]` weights; features times weights are logits.
 */
export function fitLogistic(rows: FittingRows, { start, pull, iterations }: FittingOptions): Float64Array {
  const { terms } = rows;
  const weights = Float64Array.from(start);
  const scales = Float64Array.from({ length: terms }, (_, term) => {
    let sum = 0;
    for (let row = 0; row < rows.rows; row++) sum += rows.features[row * terms + term]! ** 2;
    return sum / Math.max(1, rows.rows) + 1e-6;
  });
  for (let iteration = 0; iteration < iterations; iteration++) {
    const gradient = new Float64Array(terms);
    const hessian = new Float64Array(terms * terms);
    addRows(rows, weights, gradient, hessian);
    for (let term = 0; term < terms; term++) {
      const stiffness = pull * scales[term]!;
      gradient[term]! += stiffness * (weights[term]! - start[term]!);
      hessian[term * terms + term]! += stiffness;
    }
    const step = solveCholesky(decomposeCholesky(hessian, terms), gradient);
    for (let term = 0; term < terms; term++) weights[term]! -= step[term]!;
  }
  return weights;
}
