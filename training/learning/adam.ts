import { sizeOfShape } from '../../env/spaces/shape.js';
import { parameterSpecs, type NetworkShape } from '../network/network.js';

/** Published defaults (Kingma & Ba 2015, "Adam", algorithm 1). */
const FIRST_DECAY = 0.9;
const SECOND_DECAY = 0.999;
const EPSILON = 1e-8;

/** What the optimiser remembers from step to step. `W` is the number of weights. */
export interface AdamState {
  /** Steps taken. */
  step: number;
  /** `[W]` decaying mean of the gradients. */
  readonly firstMoment: Float32Array;
  /** `[W]` decaying mean of their squares. */
  readonly secondMoment: Float32Array;
}

/** How far one step goes. */
export interface AdamOptions {
  readonly learningRate: number;
  /** Decoupled: what a weight loses a step, times the learning rate. Biases lose nothing. */
  readonly weightDecay: number;
}

/** The state before the first step. */
export function createAdamState(weights: number): AdamState {
  return { step: 0, firstMoment: new Float32Array(weights), secondMoment: new Float32Array(weights) };
}

/** Euclidean norm. */
export function norm(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Math.sqrt(sum);
}

/** Scales `gradient` in place to norm `maxNorm` if it is longer (Pascanu et al. 2013); returns its norm before. */
export function clipNorm(gradient: Float32Array, maxNorm: number): number {
  const length = norm(gradient);
  if (length > maxNorm) {
    const scale = maxNorm / length;
    for (let i = 0; i < gradient.length; i++) gradient[i] = gradient[i]! * scale;
  }
  return length;
}

/** `[from, to)` of the weights that decay: the kernels. */
export function decayRanges(shape: NetworkShape): readonly (readonly [from: number, to: number])[] {
  let start = 0;
  const ranges: (readonly [number, number])[] = [];
  for (const spec of parameterSpecs(shape)) {
    const end = start + sizeOfShape(spec.shape);
    if (spec.name.endsWith('/kernel')) ranges.push([start, end]);
    start = end;
  }
  return ranges;
}

/**
 * One step of Adam with decoupled weight decay, in place (Loshchilov & Hutter 2019, algorithm 2).
 * On plain arrays, because they are what a checkpoint keeps; the price is 1 % of a training step.
 */
export function adamStep(
  weights: Float32Array,
  gradient: Float32Array,
  state: AdamState,
  options: AdamOptions & { readonly decay: ReturnType<typeof decayRanges> },
): void {
  state.step += 1;
  const { firstMoment, secondMoment, step } = state;
  const { learningRate, weightDecay, decay } = options;
  for (const [from, to] of decay) {
    for (let i = from; i < to; i++) weights[i]! *= 1 - learningRate * weightDecay;
  }
  const rate = learningRate / (1 - FIRST_DECAY ** step);
  const secondScale = 1 / (1 - SECOND_DECAY ** step);
  for (let i = 0; i < weights.length; i++) {
    const slope = gradient[i]!;
    const first = FIRST_DECAY * firstMoment[i]! + (1 - FIRST_DECAY) * slope;
    const second = SECOND_DECAY * secondMoment[i]! + (1 - SECOND_DECAY) * slope * slope;
    firstMoment[i] = first;
    secondMoment[i] = second;
    weights[i]! -= (rate * first) / (Math.sqrt(second * secondScale) + EPSILON);
  }
}
