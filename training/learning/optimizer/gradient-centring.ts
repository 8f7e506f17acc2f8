import type { MatrixStep } from './muon.js';

/**
 * Subtracts from each column its mean, in place, so that a step never moves all weights of a unit in one direction. The
 * inputs of a unit come from a ReLU and are at least 0: such steps move its output on all squares at once, and a few
 * hundred of them end with a unit that is always 0.
 *
 * @see Yong et al. 2020, "Gradient Centralization: A New Optimization Technique for Deep Neural Networks", section 3.
 */
export function centreGradient(
  gradient: Float32Array,
  { from, to, columns }: Pick<MatrixStep, 'from' | 'to' | 'columns'>,
): void {
  const rows = (to - from) / columns;
  for (let first = from; first < from + columns; first++) {
    let sum = 0;
    for (let i = first; i < to; i += columns) sum += gradient[i]!;
    const mean = sum / rows;
    for (let i = first; i < to; i += columns) gradient[i]! -= mean;
  }
}
