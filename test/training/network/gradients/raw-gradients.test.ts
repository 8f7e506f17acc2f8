import type { Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs-node';
import { describe, expect, test } from 'vitest';
import { createRng } from '../../../../env/random.js';
import { RawGradients } from '../../../../training/network/gradients/raw-gradients.js';
import { loadTensorflow } from '../../../../training/tensorflow/tensorflow.js';

const tf = loadTensorflow({ threads: 2 });
const raw = new RawGradients(tf);
const rng = createRng(5);

function random(...shape: number[]): Tensor {
  return tf.tensor(
    Float32Array.from({ length: tf.util.sizeFromShape(shape) }, () => rng.float() * 2 - 1),
    shape,
  );
}

type Operation = (...inputs: Tensor[]) => Tensor;

/** The output of an operation, and the gradients of a weighted sum of it with respect to every input. */
function outputsAndGradients(operation: Operation, inputs: Tensor[], weights: Tensor): Float32Array[] {
  const tensors = tf.tidy(() => {
    const loss: Operation = (...args) =>
      operation(...args)
        .mul(weights)
        .sum();
    return [operation(...inputs), ...tf.grads(loss)(inputs)];
  });
  const values = tensors.map((tensor) => tensor.dataSync<'float32'>());
  tf.dispose(tensors);
  return values;
}

const squares = tf.tensor1d([0, 7, 7, 39, 12, 0, 25], 'int32');
const planes = tf.tensor1d([5, 1, 0, 3, 3, 5, 2], 'int32');
const targets = tf.softmax(random(4, 6)) as Tensor2D;
const rowWeights = tf.tensor1d([1, 0.5, 0, 2]);

/** Our operation, the same operation of TensorFlow.js with its own gradients, and the inputs of both. */
const operations: Record<string, readonly [Operation, Operation, Tensor[]]> = {
  'convolution with ReLU': [
    (x, k, b) => raw.convolution(x as Tensor4D, k as Tensor4D, b as Tensor1D, 'relu'),
    (x, k, b) =>
      tf
        .conv2d(x as Tensor4D, k as Tensor4D, 1, 'same')
        .add(b)
        .relu(),
    [random(2, 5, 4, 3), random(3, 3, 3, 6), random(6)],
  ],
  'convolution without activation': [
    (x, k, b) => raw.convolution(x as Tensor4D, k as Tensor4D, b as Tensor1D, 'none'),
    (x, k, b) => tf.conv2d(x as Tensor4D, k as Tensor4D, 1, 'same').add(b),
    [random(2, 5, 4, 3), random(1, 1, 3, 6), random(6)],
  ],
  'sum with ReLU': [
    (a, b) => raw.addRelu(a as Tensor4D, b as Tensor4D),
    (a, b) => a.add(b).relu(),
    [random(2, 5, 4, 3), random(2, 5, 4, 3)],
  ],
  ReLU: [(x) => raw.relu(x as Tensor2D), (x) => x.relu(), [random(4, 6)]],
  'global pools': [
    (x) => raw.globalPools(x as Tensor4D),
    (x) => tf.concat([x.mean([1, 2]), x.max([1, 2])], 1),
    [random(2, 5, 4, 3)],
  ],
  'convolution at some squares': [
    (x, k, b) => raw.convolutionAt(x as Tensor4D, k as Tensor4D, b as Tensor1D, { squares, planes }),
    (x, k, b) => {
      const logits = tf.conv2d(x as Tensor4D, k as Tensor4D, 1, 'same').add(b);
      return logits.reshape([-1]).gather(squares.mul(6).add(planes).cast('int32'));
    },
    [random(2, 5, 4, 3), random(1, 1, 3, 6), random(6)],
  ],
  'elements at indices': [
    (x) => raw.elementsAt(x, squares),
    (x) => x.reshape([-1]).gather(squares),
    [random(4, 10)],
  ],
  'weighted cross-entropy': [
    (x) => raw.weightedCrossEntropy(x as Tensor2D, targets, rowWeights),
    (x) => x.logSoftmax().mul(targets).sum(1).mul(rowWeights).sum().neg(),
    [random(4, 6)],
  ],
};

describe('gradients by raw operations equal those of TensorFlow.js', () => {
  test.each(Object.entries(operations))('%s', (_name, [ours, theirs, inputs]) => {
    const weights = tf.tidy(() => random(...ours(...inputs).shape));
    const actual = outputsAndGradients(ours, inputs, weights);
    const expected = outputsAndGradients(theirs, inputs, weights);
    expect(actual).toHaveLength(inputs.length + 1);
    actual.forEach((values, part) => {
      expect(values).toHaveLength(expected[part]!.length);
      expect(Math.max(...expected[part]!.map(Math.abs))).toBeGreaterThan(0.01);
      values.forEach((value, i) => {
        expect(value).toBeCloseTo(expected[part]![i]!, 4);
      });
    });
  });
});

test('the kernel and bias gradients of the first convolution are those of a convolution with ReLU', () => {
  const input = random(2, 5, 4, 3) as Tensor4D;
  const parameters = [random(3, 3, 3, 6), random(6)];
  const weights = random(2, 5, 4, 6);
  const ours: Operation = (k, b) => raw.inputConvolution(input, k as Tensor4D, b as Tensor1D);
  const theirs: Operation = (k, b) =>
    tf
      .conv2d(input, k as Tensor4D, 1, 'same')
      .add(b)
      .relu();
  const expected = outputsAndGradients(theirs, parameters, weights);
  outputsAndGradients(ours, parameters, weights).forEach((values, part) => {
    values.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[part]![i]!, 4);
    });
  });
});
