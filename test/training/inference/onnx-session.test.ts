import { expect, test } from 'vitest';
import { ANY_LENGTH } from '../../../agents/evaluators/inference-session.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng } from '../../../env/random.js';
import { openOnnxModel } from '../../../training/inference/onnx-session.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { createNetwork } from '../../../training/network/network.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';

const config = NetworkConfig.parse({ channels: 4, blocks: 1, valueHidden: 4 });
const network = createNetwork(networkShape(connectFour, config), createRng(5));
const model = encodeOnnxModel(network, 'legal');

test('a session lists the shapes of its inputs and outputs, and runs the model', async () => {
  const session = await openOnnxModel(model, 'a model');
  expect(session.source).toBe('a model');
  expect([...session.inputs]).toEqual([
    ['observation', [ANY_LENGTH, ...connectFour.observationShape]],
    ['legal', [ANY_LENGTH, ANY_LENGTH]],
  ]);
  expect([...session.outputs]).toEqual([
    ['legalLogits', [ANY_LENGTH, ANY_LENGTH]],
    ['outcome', [ANY_LENGTH, 3]],
  ]);
  const size = connectFour.observationShape.reduce((product, length) => product * length, 1);
  const outputs = await session.run({
    observation: { data: new Float32Array(2 * size), shape: [2, ...connectFour.observationShape] },
    legal: { data: Int32Array.of(0, 1, 2, 3, 4, 5), shape: [2, 3] },
  });
  expect(outputs.get('legalLogits')).toHaveLength(6);
  expect(outputs.get('outcome')).toHaveLength(6);
  await session.dispose();
});

test('a truncated model is refused', async () => {
  await expect(openOnnxModel(model.subarray(0, model.length / 2))).rejects.toMatchObject({
    code: 'model-unreadable',
    message: expect.stringContaining(`${Math.floor(model.length / 2)} bytes`) as string,
  });
});
