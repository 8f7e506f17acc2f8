import {
  PART_NAMES,
  PART_ONES,
  OUTPUT_ONE,
  type PatternWeights,
} from '../../../env/gess/heuristics/patterns/pattern-weights.js';
import { createRng } from '../../../env/random.js';
import { nextTask } from '../../../agents/next-task.js';
import { shuffle } from '../../statistics/shuffle.js';
import { PatternGradient } from './pattern-gradient.js';
import { PatternNetwork, type PatternParameters, startParameters } from './pattern-network.js';
import { PatternOptimizer } from './pattern-optimizer.js';
import type { PatternRows } from './pattern-rows.js';

/** Settings of learning a pattern network. */
export interface DistillationOptions {
  readonly seed: number;
  /** The network to start from; by default small random weights. */
  readonly start?: PatternWeights | undefined;
  /** Times that each position is learnt. */
  readonly passes: number;
  /** Positions of a step. */
  readonly batchSize: number;
  /** Learning rate of the first step; it falls to 0 in a straight line. */
  readonly learningRate: number;
  /** Called from time to time with the number of steps done and of all, and the mean squared error of late. */
  readonly onProgress?: (done: number, all: number, error: number) => void;
  /** Ends learning early once it is aborted. */
  readonly signal?: AbortSignal;
}

/** Steps between two reports of progress, after which other tasks of the process get their turn. */
const REPORT_STEPS = 50;
/** Weight of the last step in the running mean of the error. */
const MEAN_WEIGHT = 0.02;

/**
 * Learns a pattern network from judged positions by Adam on the squared error of the value. Half of the positions,
 * drawn anew in each pass, are mirrored. The same rows and options give the same weights.
 *
 * @returns null if it was aborted.
 */
export async function distill(
  rows: PatternRows,
  options: DistillationOptions,
): Promise<PatternParameters | null> {
  const { seed, start, passes, batchSize, learningRate, onProgress, signal } = options;
  const rng = createRng(seed, 'distillation');
  const network = new PatternNetwork(start === undefined ? startParameters(rng) : dequantise(start));
  const optimizer = new PatternOptimizer(network.parameters);
  const gradient = new PatternGradient();
  const order = Uint32Array.from({ length: rows.count }, (_, index) => index);
  const stepsOfPass = Math.ceil(rows.count / batchSize);
  const steps = passes * stepsOfPass;
  let mean = Number.NaN;
  for (let step = 0; step < steps; step++) {
    const first = (step % stepsOfPass) * batchSize;
    if (first === 0) shuffle(order, rng);
    const batch = order.subarray(first, first + batchSize);
    gradient.clear();
    let error = 0;
    for (const row of batch) {
      const value = Math.tanh(network.output(rows.words, row, rng.integer(2) === 1));
      const difference = value - rows.values[row]!;
      error += difference * difference;
      network.addGradient((2 * difference * (1 - value * value)) / batch.length, gradient);
    }
    optimizer.step(gradient, learningRate * (1 - step / steps));
    error /= batch.length;
    mean = Number.isNaN(mean) ? error : mean + MEAN_WEIGHT * (error - mean);
    if (step % REPORT_STEPS !== 0) continue;
    onProgress?.(step, steps, mean);
    await nextTask();
    if (signal?.aborted === true) return null;
  }
  return network.parameters;
}

/** The weights of a quantised network. */
function dequantise(weights: PatternWeights): PatternParameters {
  const parts = PART_NAMES.map(
    (name) => [name, Float32Array.from(weights[name], (weight) => weight / PART_ONES[name])] as const,
  );
  return Object.fromEntries(parts) as PatternParameters;
}

/** Rounds the weights to the integers of a file; those out of its range become the greatest or least of it. */
export function quantise(parameters: PatternParameters): PatternWeights {
  const parts = PART_NAMES.map((name) => {
    const one = PART_ONES[name];
    const most = one === OUTPUT_ONE ? 2 ** 31 - 1 : 2 ** 15 - 1;
    const rounded = Array.from(parameters[name], (weight) =>
      Math.max(-most, Math.min(most, Math.round(weight * one))),
    );
    return [name, one === OUTPUT_ONE ? Int32Array.from(rounded) : Int16Array.from(rounded)] as const;
  });
  return Object.fromEntries(parts) as PatternWeights;
}
