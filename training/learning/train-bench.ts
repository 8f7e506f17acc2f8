import type { Rng } from '../../env/random.js';
import { adamStep, clipNorm, createAdamState, decayRanges } from './adam.js';
import { LearnerConfig, type NetworkConfig } from '../config.js';
import { NetworkLoss } from '../network/network-loss.js';
import { createNetwork, parameterCount, type NetworkShape } from '../network/network.js';
import type { Tensorflow } from '../tensorflow.js';
import { TrainingBatch } from './training-batch.js';

/** Legal actions a random sample has: the mean of Gess in longer games. */
const LEGAL_ACTIONS = 250;

/** What is measured. */
export interface TrainBenchOptions {
  readonly tf: Tensorflow;
  /** `[rows, columns, planes]` of the input. */
  readonly observation: readonly [number, number, number];
  readonly numActions: number;
  readonly network: NetworkConfig;
  readonly batchSize: number;
  /** How long to measure, after two steps that are not counted. */
  readonly seconds: number;
  readonly rng: Rng;
}

/** Speed of the bare training step. */
export interface TrainBenchResult {
  readonly samplesPerSecond: number;
  readonly steps: number;
}

function fillRandomly(batch: TrainingBatch, numActions: number, rng: Rng): void {
  batch.reset(batch.capacity, LEGAL_ACTIONS);
  for (let i = 0; i < batch.observations.length; i++) batch.observations[i] = rng.float();
  for (let row = 0; row < batch.size; row++) {
    const start = row * batch.width;
    for (let i = start; i < start + LEGAL_ACTIONS; i++) {
      batch.legal[i] = rng.integer(numActions);
      batch.padding[i] = 0;
      batch.policy[i] = 1 / LEGAL_ACTIONS;
    }
    batch.outcomes[row * 3 + rng.integer(3)] = 1;
  }
  batch.policyWeights.fill(1);
  batch.outcomeWeights.fill(1);
}

/** Measures training steps on one batch of random samples: loss, gradients and optimiser, without data. */
export function benchTraining(options: TrainBenchOptions): TrainBenchResult {
  const { tf, observation, numActions, network: config, batchSize, seconds, rng } = options;
  const shape: NetworkShape = { observation, numActions, policyHead: 'convolution', config };
  const batch = new TrainingBatch(shape, batchSize, LEGAL_ACTIONS);
  fillRandomly(batch, numActions, rng);
  const { weights } = createNetwork(shape, rng);
  const loss = new NetworkLoss(tf, shape, LearnerConfig.parse({}));
  const state = createAdamState(parameterCount(shape));
  const gradient = new Float32Array(weights.length);
  const optimizer = { learningRate: 1e-3, weightDecay: 0, decay: decayRanges(shape) };
  const step = (): void => {
    loss.differentiate(weights, batch, gradient);
    clipNorm(gradient, 5);
    adamStep(weights, gradient, state, optimizer);
  };
  step();
  step();
  const start = performance.now();
  let steps = 0;
  let elapsed = 0;
  while (elapsed < seconds * 1000) {
    step();
    steps += 1;
    elapsed = performance.now() - start;
  }
  return { samplesPerSecond: (steps * batchSize * 1000) / elapsed, steps };
}
