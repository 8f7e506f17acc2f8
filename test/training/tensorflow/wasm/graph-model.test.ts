import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createGame } from '../../../../env/games.js';
import { createRng } from '../../../../env/random.js';
import { WEIGHTS_FILE } from '../../../../training/network/graph-model/graph-files.js';
import { encodeGraphModel, predictGraphModel } from '../../../../training/network/graph-model/graph-model.js';
import { networkShape } from '../../../../training/network/network-shape.js';
import { TensorNetwork } from '../../../../training/network/tensor-network.js';
import { WASM_BACKEND } from '../../../../training/tensorflow/backend-names.js';
import { loadWasmTensorflow } from '../../../../training/tensorflow/wasm/loading.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { expectEqualLogits } from '../../network/equal-logits.js';
import { FULL_CONFIG, randomFloats, randomNetwork } from '../../network/network-fixtures.js';

// Only npm packages in this process, as in a browser: native TensorFlow is not loaded.
const tf = await loadWasmTensorflow();
// Without this, TensorFlow.js would recommend its native backend on the console.
tf.env().set('IS_TEST', true);
const COUNT = 3;
const ATTENTION = { ...FULL_CONFIG, rings: false, policyAttention: 4 };

test.each([
  ['gess', 'all heads', WASM_BACKEND, FULL_CONFIG],
  ['gess', 'all heads', 'cpu', FULL_CONFIG],
  ['quess', 'attention', WASM_BACKEND, ATTENTION],
  ['quess', 'attention', 'cpu', ATTENTION],
  ['connect-four', 'all heads that it has', WASM_BACKEND, { ...FULL_CONFIG, rings: false }],
  ['connect-four', 'all heads that it has', 'cpu', { ...FULL_CONFIG, rings: false }],
])(
  'the TensorFlow.js files of %s, %s, run on the plain package (%s)',
  async (gameId, _parts, backend, config) => {
    const shape = networkShape(createGame(gameId), config);
    const network = randomNetwork(shape, 5);
    const [rows, columns, planes] = shape.observation;
    const observations = randomFloats(COUNT * rows * columns * planes, createRng(6));
    await tf.setBackend(WASM_BACKEND);
    const trainer = new TensorNetwork(tf, shape).predict(network.weights, observations, COUNT);
    const folder = temporaryFolder();
    const { modelJson, weights } = encodeGraphModel(network);
    writeFileSync(join(folder, 'model.json'), modelJson);
    writeFileSync(join(folder, WEIGHTS_FILE), weights);
    expect(await tf.setBackend(backend)).toBe(true);
    const before = tf.memory().numTensors;
    const answers = await predictGraphModel(tf, join(folder, 'model.json'), shape, observations);
    expect(tf.getBackend()).toBe(backend);
    expect(tf.memory().numTensors).toBe(before);
    expectEqualLogits(answers, trainer);
  },
);
