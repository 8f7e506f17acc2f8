import type { RowWindow } from '../../data/datasets/row-window.js';
import type { Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { BatchPreparation } from '../../training/learning/batch-preparation.js';
import { saveFailedBatch } from '../../training/learning/failed-batch.js';
import { learn, startLearner } from '../../training/learning/learner.js';
import { clipNorm } from '../../training/learning/optimizer/gradient-clipping.js';
import { centreGradient, stepCentred } from '../../training/learning/optimizer/input-centring.js';
import { Optimizer } from '../../training/learning/optimizer/optimizer.js';
import { createOptimizerState } from '../../training/checkpoints/optimizer-state.js';
import { LearnerConfig } from '../../training/config/groups/learner-config.js';
import { ActionColumns } from '../../training/network/heads/action-columns.js';
import type { NetworkConfig } from '../../training/network/network-config.js';
import { NetworkLoss } from '../../training/learning/network-loss.js';
import { createNetwork, networkOf } from '../../training/network/network.js';
import { networkShape, type NetworkShape } from '../../training/network/network-shape.js';
import { parameterCount } from '../../training/network/parameter-specs.js';
import type { Tensorflow } from '../../training/tensorflow/tensorflow.js';
import { TrainingBatch } from '../../training/learning/training-batch.js';

/** Legal actions of a random sample: the mean of Gess in longer games. */
const LEGAL_ACTIONS = 250;

/** Options of `benchTraining`. */
export interface TrainBenchOptions {
  readonly tf: Tensorflow;
  /** `[rows, columns, planes]` of the input. */
  readonly observation: readonly [number, number, number];
  readonly numActions: number;
  readonly network: NetworkConfig;
  readonly batchSize: number;
  /** Duration of the measurement, after two warm-up steps. */
  readonly seconds: number;
  readonly rng: Rng;
}

/** Speed of the bare training step. */
export interface TrainBenchResult {
  readonly samplesPerSecond: number;
  /** Of all threads; other load on the machine hardly changes it. */
  readonly processorSecondsPerSample: number;
  readonly steps: number;
}

/** Random actions in every row, with uniform targets. */
function fillActions(columns: ActionColumns, numActions: number, rng: Rng): void {
  const { width, weights } = columns;
  for (let row = 0; row < weights.length; row++) {
    const start = row * width;
    for (let i = start; i < start + LEGAL_ACTIONS; i++) {
      columns.legal[i] = rng.integer(numActions);
      columns.padding[i] = 0;
      columns.policy[i] = 1 / LEGAL_ACTIONS;
    }
  }
  weights.fill(1);
}

function fillRandomly(batch: TrainingBatch, numActions: number, rng: Rng): void {
  batch.size = batch.capacity;
  for (let i = 0; i < batch.observations.length; i++) batch.observations[i] = rng.float();
  const outcomes = batch.columns('outcome');
  for (let row = 0; row < batch.size; row++) outcomes.targets[row * 3 + rng.integer(3)] = 1;
  outcomes.weights.fill(1);
  for (const columns of batch.targets.values()) {
    if (!(columns instanceof ActionColumns)) continue;
    columns.reset(batch.capacity, LEGAL_ACTIONS);
    fillActions(columns, numActions, rng);
  }
}

/** A step on the same batch each time: loss, gradients and optimiser, without data. */
function repeatedStep(tf: Tensorflow, shape: NetworkShape, batch: TrainingBatch, rng: Rng): () => void {
  const { weights, parameters } = createNetwork(shape, rng);
  // Adam is the cheapest optimiser, and its steps are comparable between versions.
  const config = LearnerConfig.parse({ optimizer: 'adamw' });
  const loss = new NetworkLoss(tf, shape, config);
  const state = createOptimizerState(parameterCount(shape));
  const gradient = new Float32Array(weights.length);
  const { parameters: slopes } = networkOf(shape, gradient);
  const optimizer = new Optimizer(shape, config.optimizer);
  return () => {
    const { meanInputs } = loss.differentiate(weights, batch, gradient);
    centreGradient(slopes, meanInputs);
    clipNorm(gradient, config.clipNorm);
    stepCentred(parameters, meanInputs, () => {
      optimizer.step(weights, gradient, state, { learningRate: 1e-3, weightDecay: 0 });
    });
  };
}

/** Measures training steps on one batch of random samples: loss, gradients and optimiser, without data. */
export function benchTraining(options: TrainBenchOptions): TrainBenchResult {
  const { tf, observation, numActions, network: config, batchSize, seconds, rng } = options;
  const shape: NetworkShape = { observation, numActions, policyForm: 'convolution', config };
  const batch = new TrainingBatch(shape, batchSize, LEGAL_ACTIONS);
  fillRandomly(batch, numActions, rng);
  const step = repeatedStep(tf, shape, batch, rng);
  step();
  step();
  const start = performance.now();
  const processorStart = process.cpuUsage();
  let steps = 0;
  let elapsed = 0;
  while (elapsed < seconds * 1000) {
    step();
    steps += 1;
    elapsed = performance.now() - start;
  }
  const { user, system } = process.cpuUsage(processorStart);
  const samples = steps * batchSize;
  return {
    samplesPerSecond: (samples * 1000) / elapsed,
    processorSecondsPerSample: (user + system) / 1e6 / samples,
    steps,
  };
}

/** Options of `benchLearning`. */
export interface LearnBenchOptions<State> {
  readonly tf: Tensorflow;
  readonly game: Game<State>;
  readonly network: NetworkConfig;
  /** Rows to learn from. */
  readonly window: RowWindow;
  readonly learner: LearnerConfig;
  /** Steps of each round. */
  readonly steps: number;
  readonly rounds: number;
  readonly rng: Rng;
}

/** Speed of learning, and of the bare step on one batch of the same rows, measured in turn. */
export interface LearnBenchResult {
  readonly samplesPerSecond: number;
  readonly bareSamplesPerSecond: number;
  /** Share of learning's time spent on preparing batches. */
  readonly preparationShare: number;
}

/** Measures `learn`, including reading data, beside the bare step. */
export async function benchLearning<State>(options: LearnBenchOptions<State>): Promise<LearnBenchResult> {
  const { tf, game, network, window, learner, steps, rounds, rng } = options;
  const shape = networkShape(game, network);
  const batch = new TrainingBatch(shape, learner.batchSize, game.maxLegalActions);
  const rows = new Uint32Array(learner.batchSize);
  window.drawTrainingRows(rng, rows);
  new BatchPreparation(game, learner).fill(batch, window, rows, rng);
  const step = repeatedStep(tf, shape, batch, rng);
  const from = startLearner(createNetwork(shape, rng));
  const total = { bareSeconds: 0, seconds: 0, preparationSeconds: 0 };
  step();
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now();
    for (let i = 0; i < steps; i++) step();
    total.bareSeconds += (performance.now() - startMs) / 1000;
    const { statistics } = await learn({
      tf,
      game,
      config: learner,
      window,
      from,
      rng,
      steps,
      failOnBatch: (failed) => saveFailedBatch(failed, '.'),
    });
    const seconds = statistics.samples / statistics.samplesPerSecond;
    total.seconds += seconds;
    total.preparationSeconds += seconds * statistics.preparationShare;
  }
  const samples = rounds * steps * learner.batchSize;
  return {
    samplesPerSecond: samples / total.seconds,
    bareSamplesPerSecond: samples / total.bareSeconds,
    preparationShare: total.preparationSeconds / total.seconds,
  };
}
