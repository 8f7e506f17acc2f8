import { sizeOfShape } from '../../../env/spaces/shape.js';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema } from 'onnx-buf';
import { describe, expect, test } from 'vitest';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import { createGame, GAME_IDS } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { observeCarefulPositions } from '../../../training/play/careful-positions.js';
import { readRawLogits } from '../../../training/export/raw-logits.js';
import { openOnnxModel } from '../../../training/inference/onnx-session.js';
import { WEIGHTS_FILE } from '../../../training/network/graph-model/graph-files.js';
import { encodeGraphModel, predictGraphModel } from '../../../training/network/graph-model/graph-model.js';
import { headsOf } from '../../../training/network/heads/head-table.js';
import { gameOfNetwork, networkShape } from '../../../training/network/network-shape.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';
import { TensorNetwork } from '../../../training/network/tensor-network.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { expectEqualLogits } from './equal-logits.js';
import { FULL_CONFIG, randomFloats, randomNetwork } from './network-fixtures.js';

const tf = loadTensorflow({ threads: 2 });
const CONFIG = NetworkConfig.parse({ channels: 8, blocks: 2, valueHidden: 6 });
const COUNT = 5;

/** Index of the outcome's last bias among the weights; no ReLU can hide a change of it. */
function placeOfOutcomeBias(modelJson: string): number {
  interface Entry {
    readonly name: string;
    readonly shape: readonly number[];
  }
  const model = JSON.parse(modelJson) as { weightsManifest: { weights: readonly Entry[] }[] };
  let end = 0;
  for (const { name, shape } of model.weightsManifest[0]!.weights) {
    end += sizeOfShape(shape);
    if (name === 'outcome/bias') break;
  }
  return end - 1;
}

describe.each([
  ['gess', 'plain', CONFIG],
  ['gess', 'with every part', FULL_CONFIG],
  ['gess', 'with attention', { ...CONFIG, policyAttention: 4 }],
  ['gess', 'with planes of moves', { ...CONFIG, movePlanes: true }],
  ['quess', 'with attention and every part', { ...FULL_CONFIG, rings: false, policyAttention: 4 }],
  ['connect-four', 'plain', CONFIG],
  ['connect-four', 'with pools', { ...FULL_CONFIG, globalPoolEvery: 1, rings: false }],
])('%s, %s', (gameId, _parts, config) => {
  const game = createGame(gameId);
  const shape = networkShape(game, config);
  const network = randomNetwork(shape, 3);
  const [rows, columns, planes] = shape.observation;
  const observations = randomFloats(COUNT * rows * columns * planes, createRng(4));
  const trainer = new TensorNetwork(tf, shape).predict(network.weights, observations, COUNT);

  test('the ONNX model has the outputs of the trainer', async () => {
    const model = encodeOnnxModel(network, 'policy');
    const seen = gameOfNetwork(game, config);
    expectEqualLogits(await readRawLogits(seen, model, observations, COUNT), trainer);
  });

  test('the ONNX model for play returns the softmax of the legal logits', async () => {
    const evaluator = await NetworkEvaluator.create(
      game,
      await openOnnxModel(encodeOnnxModel(network, 'legal')),
    );
    const batch = new EvaluationBatch(game, 2, evaluator);
    const state = game.initialState();
    const buffer = new Int32Array(game.maxLegalActions);
    batch.add(game, state);
    game.legalActions(state, buffer);
    game.apply(state, buffer[3]!);
    batch.add(game, state);
    await evaluator.evaluate(batch);
    await evaluator.dispose();
    const own = new TensorNetwork(tf, shape).predict(network.weights, batch.observations, 2);
    for (let row = 0; row < 2; row++) {
      const logits = Array.from(
        batch.policyIndices.subarray(batch.start[row], batch.start[row + 1]),
        (index) => own.get('policy')![row * game.numActions + index]!,
      );
      const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0);
      logits.forEach((logit, i) => {
        expect(batch.priors[batch.start[row]! + i]).toBeCloseTo(Math.exp(logit) / sum, 5);
      });
    }
  });

  test('the TensorFlow.js files, loaded again, have the outputs of the trainer', async () => {
    const folder = temporaryFolder();
    const before = tf.memory().numTensors;
    const files = encodeGraphModel(network, { game: gameId });
    writeFileSync(join(folder, 'model.json'), files.modelJson);
    writeFileSync(join(folder, WEIGHTS_FILE), files.weights);
    const answers = await predictGraphModel(tf, join(folder, 'model.json'), shape, observations);
    expectEqualLogits(answers, trainer);
    expect(tf.memory().numTensors).toBe(before);
  });

  test('a fault in either file is detected: a weight changed by 0.01 changes a logit by 0.01', async () => {
    const folder = temporaryFolder();
    const files = encodeGraphModel(network);
    const weights = Buffer.from(files.weights);
    const last = 4 * placeOfOutcomeBias(files.modelJson);
    weights.writeFloatLE(weights.readFloatLE(last) + 0.01, last);
    writeFileSync(join(folder, 'model.json'), files.modelJson);
    writeFileSync(join(folder, WEIGHTS_FILE), weights);
    const changed = randomNetwork(shape, 3);
    changed.parameters.get('outcome/bias')![2]! += 0.01;
    const answers = [
      await predictGraphModel(tf, join(folder, 'model.json'), shape, observations),
      await readRawLogits(
        gameOfNetwork(game, config),
        encodeOnnxModel(changed, 'policy'),
        observations,
        COUNT,
      ),
    ];
    for (const answer of answers) {
      expect(answer.get('outcome')![2]! - trainer.get('outcome')![2]!).toBeCloseTo(0.01, 4);
    }
  });

  test('equal networks make equal bytes in both formats', () => {
    const again = randomNetwork(shape, 3);
    for (const form of ['policy', 'legal'] as const) {
      expect(encodeOnnxModel(again, form)).toEqual(encodeOnnxModel(network, form));
    }
    expect(encodeGraphModel(again)).toEqual(encodeGraphModel(network));
  });

  test('the TensorFlow.js files contain their metadata, and begin with the parameters bit for bit', () => {
    const { modelJson, weights } = encodeGraphModel(network, { game: gameId });
    const model = JSON.parse(modelJson) as {
      readonly format: string;
      readonly userDefinedMetadata: object;
      readonly signature: Readonly<Record<'inputs' | 'outputs', object>>;
    };
    expect(model.format).toBe('graph-model');
    expect(model.userDefinedMetadata).toEqual({ game: gameId });
    expect(Object.keys(model.signature.inputs)).toEqual(['observation']);
    expect(Object.keys(model.signature.outputs)).toEqual(headsOf(config).map(({ name }) => name));
    const view = new DataView(weights.buffer, weights.byteOffset, weights.byteLength);
    const start = network.weights.map((_weight, i) => view.getFloat32(i * 4, true));
    expect(Buffer.from(start.buffer).equals(Buffer.from(network.weights.buffer))).toBe(true);
  });

  test('the ONNX model contains its metadata', () => {
    const model = fromBinary(ModelProtoSchema, encodeOnnxModel(network, 'policy', { game: gameId }));
    expect(model.metadataProps).toEqual([expect.objectContaining({ key: 'game', value: gameId })]);
    expect(model.graph!.input.map(({ name }) => name)).toEqual(['observation']);
    expect(model.graph!.output.map(({ name }) => name)).toEqual(headsOf(config).map(({ name }) => name));
    const forPlay = fromBinary(ModelProtoSchema, encodeOnnxModel(network, 'legal'));
    expect(forPlay.graph!.output.map(({ name }) => name)).toEqual(['legalLogits', 'outcome']);
  });
});

test('every game describes its planes', () => {
  for (const id of GAME_IDS) {
    const { encoding, observationShape } = createGame(id);
    expect(encoding.planes).toHaveLength(observationShape[2]);
  }
});

test('observed careful positions come from real games: stones on every board, and differences between boards', () => {
  const game = createGame('gess');
  const observations = observeCarefulPositions(game, 20, createRng(1));
  const size = observations.length / 20;
  const stones = Array.from({ length: 20 }, (_, i) =>
    observations
      .subarray(i * size, (i + 1) * size)
      .reduce((sum, value, at) => sum + (at % 20 === 0 ? value : 0), 0),
  );
  expect(Math.min(...stones)).toBeGreaterThanOrEqual(8);
  expect(Math.max(...stones)).toBeLessThanOrEqual(43);
  expect(new Set(stones).size).toBeGreaterThan(3);
});
