import type { RangeStep } from './adam.js';
import type { OptimizerState } from '../../checkpoints/optimizer-state.js';

/** Decay of the mean of gradients, and of its look-ahead (Nesterov). */
const MOMENTUM = 0.95;
/**
 * Coefficients of `p(x) = a x + b x^3 + c x^5`, which, applied five times, brings all singular values in (0, 1] near 1:
 * to 0.7 .. 1.2. It is steep at 0, so that small values grow within a few iterations (Jordan 2024).
 */
const [A, B, C] = [3.4445, -4.775, 2.0315];
const ITERATIONS = 5;
/** Root mean square of a step at learning rate 1: about that of Adam, so that one rate fits both (Liu et al. 2025). */
const STEP_SIZE = 0.2;
/** Prevents a division by zero for a zero gradient. */
const EPSILON = 1e-12;

/**
 * A step on a row-major matrix of the weights: a dense kernel `[in, out]`, or a convolution's as
 * `[height * width * in, out]`.
 */
export interface MatrixStep extends RangeStep {
  readonly columns: number;
}

/** `left * right`, all `[size, size]`, row-major. */
function product(left: Float64Array, right: Float64Array, size: number): Float64Array {
  const result = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    const start = row * size;
    for (let k = 0; k < size; k++) {
      const factor = left[start + k]!;
      for (let column = 0; column < size; column++) {
        result[start + column]! += factor * right[k * size + column]!;
      }
    }
  }
  return result;
}

/** `matrix^T * matrix`, `[columns, columns]`, of a row-major matrix. */
function gram(matrix: Float64Array, columns: number): Float64Array {
  const result = new Float64Array(columns * columns);
  for (let start = 0; start < matrix.length; start += columns) {
    for (let i = 0; i < columns; i++) {
      const factor = matrix[start + i]!;
      // The half on and above the diagonal; the matrix is symmetric.
      for (let j = i; j < columns; j++) result[i * columns + j]! += factor * matrix[start + j]!;
    }
  }
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < i; j++) result[i * columns + j] = result[j * columns + i]!;
  }
  return result;
}

/** `a I + b G + c G^2`, the factor of an iteration. */
function iterationFactor(square: Float64Array, columns: number): Float64Array {
  const factor = product(square, square, columns);
  for (let i = 0; i < factor.length; i++) factor[i] = B * square[i]! + C * factor[i]!;
  for (let i = 0; i < columns; i++) factor[i * columns + i]! += A;
  return factor;
}

/**
 * The matrix `P` such that `matrix * P` has the singular vectors of `matrix` and singular values of about 1.
 *
 * Newton-Schulz iterations map `X` to `X (a I + b G + c G^2)` with `G = X^T X`. All factors are polynomials of
 * `G`, which has only `columns` rows; so `X` itself, ten times as tall, is multiplied once, at the end.
 */
function orthogonaliser(matrix: Float64Array, columns: number): Float64Array {
  let square = gram(matrix, columns);
  let factor = iterationFactor(square, columns);
  let all = factor;
  for (let iteration = 1; iteration < ITERATIONS; iteration++) {
    square = product(product(factor, square, columns), factor, columns);
    factor = iterationFactor(square, columns);
    all = product(all, factor, columns);
  }
  return all;
}

/**
 * Takes one step of Muon on a matrix of the weights, in place: along the momentum of the gradients with all its
 * singular values set to about 1, so that directions with weak gradients are learnt as fast as those with strong ones.
 *
 * Matrices with more columns than rows would be expensive; none of ours has.
 *
 * @see Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks",
 *   https://kellerjordan.github.io/posts/muon/; Liu et al. 2025, "Muon is Scalable for LLM Training", section 2.2, for
 *   the size of the steps.
 */
export function muonStep(
  weights: Float32Array,
  gradient: Float32Array,
  { firstMoment }: OptimizerState,
  { from, to, columns, learningRate }: MatrixStep,
): void {
  const matrix = new Float64Array(to - from);
  let squares = 0;
  for (let i = from; i < to; i++) {
    const slope = gradient[i]!;
    const momentum = MOMENTUM * firstMoment[i]! + (1 - MOMENTUM) * slope;
    firstMoment[i] = momentum;
    const ahead = MOMENTUM * momentum + (1 - MOMENTUM) * slope;
    matrix[i - from] = ahead;
    squares += ahead * ahead;
  }
  const scale = 1 / (Math.sqrt(squares) + EPSILON);
  for (let i = 0; i < matrix.length; i++) matrix[i]! *= scale;
  const factor = orthogonaliser(matrix, columns);
  // With singular values of 1 the root mean square is (greater dimension)^-1/2.
  const rate = learningRate * STEP_SIZE * Math.sqrt(Math.max(matrix.length / columns, columns));
  for (let start = 0; start < matrix.length; start += columns) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let k = 0; k < columns; k++) sum += matrix[start + k]! * factor[k * columns + column]!;
      weights[from + start + column]! -= rate * sum;
    }
  }
}
