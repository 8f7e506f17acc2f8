import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema } from 'onnx-buf';
import { describe, expect, test } from 'vitest';
import { drawCarefulAction } from '../../../agents/immediate/careful-agent.js';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { observeCarefulPositions } from '../../../training/play/careful-positions.js';
import { correctOutcomes } from '../../../training/checkpoints/outcome-shift.js';
import { networkForPlay } from '../../../training/checkpoints/checkpoint.js';
import { readCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { calibrate, type Calibration } from '../../../training/network/calibration.js';
import type { Network } from '../../../training/network/network.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { loadOnnxRuntime, openOnnxModel } from '../../../training/inference/onnx-session.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { FULL_CONFIG, randomNetwork } from './network-fixtures.js';

const tf = loadTensorflow({ threads: 2 });
const POSITIONS = 60;
const CHECKPOINT = join(import.meta.dirname, '..', '..', '..', 'models', 'gess', 'checkpoint');

function calibrationOf(game: Game<unknown>, network: Network, count = 64): Calibration {
  return calibrate(tf, network, observeCarefulPositions(game, count, createRng(1, 'calibration')), count);
}

/** Positions of games other than those of the calibration. */
function positionsOf(game: Game<unknown>): EvaluationBatch {
  const rng = createRng(2, 'positions');
  const batch = new EvaluationBatch(game, POSITIONS);
  let state = game.initialState();
  while (batch.size < POSITIONS) {
    if (game.countLegalActions(state) === 0) state = game.initialState();
    if (rng.integer(3) === 0) batch.add(game, state);
    game.apply(state, drawCarefulAction(game, state, rng));
  }
  return batch;
}

/** The outputs of a model for the positions: `[L]` priors and `[B, 3]` outcomes. */
async function judge(
  game: Game<unknown>,
  batch: EvaluationBatch,
  model: Uint8Array,
  batchSize = 16,
): Promise<{ readonly priors: Float32Array; readonly outcomes: Float32Array }> {
  const evaluator = await NetworkEvaluator.create(game, await openOnnxModel(model), { batchSize });
  await evaluator.evaluate(batch);
  await evaluator.dispose();
  return {
    priors: batch.priors.slice(0, batch.start[batch.size]),
    outcomes: batch.outcomes.slice(0, batch.size * 3),
  };
}

/**
 * Deviation of int8 from float32: share of equal best moves, mean divergence of policies and mean difference of values.
 */
async function compare(
  game: Game<unknown>,
  network: Network,
  calibration: Calibration,
): Promise<{ readonly agreement: number; readonly divergence: number; readonly valueError: number }> {
  const batch = positionsOf(game);
  const exact = await judge(game, batch, encodeOnnxModel(network, 'legal'));
  const whole = await judge(game, batch, encodeOnnxModel(network, 'legal', {}, calibration));
  let [agreed, divergence, valueError] = [0, 0, 0];
  for (let row = 0; row < batch.size; row++) {
    const [from, to] = [batch.start[row]!, batch.start[row + 1]!];
    const [before, after] = [exact.priors.subarray(from, to), whole.priors.subarray(from, to)];
    if (before.indexOf(Math.max(...before)) === after.indexOf(Math.max(...after))) agreed++;
    before.forEach((prior, i) => (divergence += prior * Math.log(prior / after[i]!)));
    const valueOf = ({ outcomes }: typeof exact): number => outcomes[row * 3]! - outcomes[row * 3 + 2]!;
    valueError += Math.abs(valueOf(exact) - valueOf(whole));
  }
  return {
    agreement: agreed / batch.size,
    divergence: divergence / batch.size,
    valueError: valueError / batch.size,
  };
}

/** Counts of operators in the optimised graph that ONNX Runtime makes from a model. */
async function fusedOperators(model: Uint8Array): Promise<Map<string, number>> {
  const path = join(temporaryFolder(), 'fused.onnx');
  const { InferenceSession } = await loadOnnxRuntime();
  const session = await InferenceSession.create(model, {
    graphOptimizationLevel: 'all',
    optimizedModelFilePath: path,
    logSeverityLevel: 3,
  });
  await session.release();
  const counts = new Map<string, number>();
  for (const { opType } of fromBinary(ModelProtoSchema, readFileSync(path)).graph!.node) {
    counts.set(opType, (counts.get(opType) ?? 0) + 1);
  }
  return counts;
}

/** Bound of the mean divergence of policies, in nats: 0.0165 in the network of the package. */
const DIVERGENCE = 0.02;

describe('a trained network of Gess', async () => {
  const checkpoint = await readCheckpoint(CHECKPOINT);
  const { game } = checkpoint;
  const network = networkForPlay(checkpoint);
  const calibration = calibrationOf(game, network, 128);

  test('plays in int8 nearly as in float32', async () => {
    // As checkpoints and exports do it: rounding shifts the values of all positions alike.
    const observations = observeCarefulPositions(game, 128, createRng(1, 'calibration'));
    const corrected = await correctOutcomes(network, calibration, observations, 128);
    const { agreement, divergence, valueError } = await compare(game, network, corrected);
    expect(agreement).toBeGreaterThan(0.8);
    expect(divergence).toBeLessThan(DIVERGENCE);
    expect(valueError).toBeLessThan(0.04);
  });

  test('ranges that are too narrow are detected', async () => {
    const narrow = Object.entries(calibration.ranges).map(([name, { least, greatest }]) => [
      name,
      { least: least / 3, greatest: greatest / 3 },
    ]);
    const ranges = Object.fromEntries(narrow) as Calibration['ranges'];
    const { divergence, valueError } = await compare(game, network, { ...calibration, ranges });
    expect(divergence).toBeGreaterThan(DIVERGENCE);
    expect(valueError).toBeGreaterThan(0.1);
  });

  test('a shift of all values is corrected', async () => {
    const observations = observeCarefulPositions(game, 128, createRng(1, 'calibration'));
    const shifted = { ...calibration, outcomeShift: [0.4, 0, -0.4] };
    expect((await compare(game, network, shifted)).valueError).toBeGreaterThan(0.1);
    const corrected = await correctOutcomes(network, shifted, observations, 128);
    expect((await compare(game, network, corrected)).valueError).toBeLessThan(0.04);
  });

  test('all convolutions of squares and their sums are computed on integers', async () => {
    const { blocks, globalPoolEvery, policyAttention } = network.shape.config;
    const pooled = Math.floor(blocks / globalPoolEvery);
    const heads = policyAttention > 0 ? 2 : 1;
    const operators = await fusedOperators(encodeOnnxModel(network, 'legal', {}, calibration));
    expect(operators.get('QLinearConv')).toBe(1 + 2 * blocks + pooled);
    // The heads receive the last sum as float32.
    expect(operators.get('QLinearAdd')).toBe(blocks - 1 + pooled);
    // Convolutions of the heads, and of the shifts of pooled blocks.
    expect(operators.get('Conv')).toBe(heads + pooled);
  });

  test('the outputs for a position do not depend on the batch', async () => {
    const batch = positionsOf(game);
    const model = encodeOnnxModel(network, 'legal', {}, calibration);
    expect(await judge(game, batch, model, 1)).toEqual(await judge(game, batch, model, 32));
  });
});

test.each([
  ['gess', { ...FULL_CONFIG, policyAttention: 4 }],
  ['quess', { ...FULL_CONFIG, rings: false, blocks: 0, globalPoolEvery: 0 }],
  ['connect-four', { ...FULL_CONFIG, rings: false, globalPoolEvery: 1 }],
])('%s: a network with random weights has nearly the same outputs in int8', async (gameId, config) => {
  const game = createGame(gameId);
  const network = randomNetwork(networkShape(game, config), 1);
  const before = tf.memory().numTensors;
  const calibration = calibrationOf(game, network);
  expect(tf.memory().numTensors).toBe(before);
  const { divergence, valueError } = await compare(game, network, calibration);
  expect(divergence).toBeLessThan(0.01);
  expect(valueError).toBeLessThan(0.03);
});

test('equal calibrations give equal bytes, in both forms', () => {
  const game = createGame('connect-four');
  const network = randomNetwork(networkShape(game, NetworkConfig.parse({ channels: 4, blocks: 2 })), 1);
  for (const form of ['policy', 'legal'] as const) {
    const [left, right] = [1, 2].map(() => encodeOnnxModel(network, form, {}, calibrationOf(game, network)));
    expect(left).toEqual(right);
  }
});

test('outputs without weights and values that are always 0 keep their biases', async () => {
  const game = createGame('connect-four');
  const shape = networkShape(game, NetworkConfig.parse({ channels: 4, blocks: 2, globalPoolEvery: 2 }));
  const network = randomNetwork(shape, 1);
  for (const layer of ['stem', 'block1_first', 'block2_second', 'block2_pool']) {
    const kernel = network.parameters.get(`${layer}/kernel`)!;
    const { length } = network.parameters.get(`${layer}/bias`)!;
    kernel.forEach((_, i) => (kernel[i] = i % length === 1 ? 0 : kernel[i]!));
    network.parameters.get(`${layer}/bias`)![1] = 3;
  }
  network.parameters.get('block1_second/kernel')!.fill(0);
  network.parameters.get('block1_second/bias')!.fill(0);
  const { divergence, valueError } = await compare(game, network, calibrationOf(game, network));
  expect(divergence).toBeLessThan(0.01);
  expect(valueError).toBeLessThan(0.03);
});

test('the calibration of another network is refused', () => {
  const game = createGame('connect-four');
  const [small, large] = [1, 2].map((blocks) =>
    randomNetwork(networkShape(game, NetworkConfig.parse({ channels: 4, blocks })), 1),
  );
  expect(() => encodeOnnxModel(large!, 'legal', {}, calibrationOf(game, small!))).toThrow(RangeError);
});

test('a network with infinite activations has no int8 model', () => {
  const game = createGame('connect-four');
  const network = randomNetwork(networkShape(game, NetworkConfig.parse({ channels: 4, blocks: 1 })), 1);
  const weights = network.weights.map((weight) => weight * 1e38);
  expect(() => calibrationOf(game, { ...network, weights }, 4)).toThrow(
    expect.objectContaining({ code: 'network-not-finite' }),
  );
});
