import type { Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sizeOfShape } from '../../../../env/spaces/shape.js';
import { createRng } from '../../../../env/random.js';
import { NetworkConfig } from '../../../../training/network/network-config.js';
import { NetworkLoss, type LossSums } from '../../../../training/learning/network-loss.js';
import type { NetworkShape } from '../../../../training/network/network-shape.js';
import { parameterSpecs } from '../../../../training/network/parameter-specs.js';
import { RawGradients } from '../../../../training/network/gradients/raw-gradients.js';
import { TensorNetwork } from '../../../../training/network/tensor-network.js';
import type { Tensorflow } from '../../../../training/tensorflow/tensorflow.js';
import { LOSS_WEIGHTS, randomBatch, randomNetwork, SHAPES } from '../../network/network-fixtures.js';
import { onBoth, relativeDifference } from './two-backends.js';

/** Weights that keep only the policy's loss. */
const NO_WEIGHTS = Object.fromEntries(Object.keys(LOSS_WEIGHTS).map((name) => [name, 0]));

/** Greatest allowed difference between the backends, relative to the greatest element. */
const TOLERANCE = 1e-4;

type Shape = readonly number[];
type Operation = (...inputs: Tensor[]) => Tensor;

function randomValues(shape: Shape, seed: number): Float32Array {
  const rng = createRng(seed, 'values');
  return Float32Array.from({ length: sizeOfShape(shape) }, () => rng.float() * 2 - 1);
}

/** The operation's output, and the gradients of a random weighted sum of it with respect to every input. */
function outputAndGradients(tf: Tensorflow, operation: Operation, shapes: readonly Shape[]): Float32Array[] {
  const tensors = tf.tidy(() => {
    const inputs = shapes.map((shape, i) => tf.tensor(randomValues(shape, i), [...shape]));
    const output = operation(...inputs);
    const weights = tf.tensor(randomValues(output.shape, 9), output.shape);
    const loss: Operation = (...args) =>
      operation(...args)
        .mul(weights)
        .sum();
    return [output, ...tf.grads(loss)(inputs)];
  });
  const values = tensors.map((tensor) => tensor.dataSync<'float32'>());
  tf.dispose(tensors);
  return values;
}

/** Compares output and gradients of an operation, made for each backend. */
async function expectAgreement(make: (tf: Tensorflow) => Operation, shapes: readonly Shape[]): Promise<void> {
  const [native, wasm] = await onBoth((tf) => {
    // Tensors that `make` creates live until the end of this scope.
    tf.engine().startScope();
    const values = outputAndGradients(tf, make(tf), shapes);
    tf.engine().endScope();
    return values;
  });
  expect(native).toHaveLength(shapes.length + 1);
  native.forEach((values, part) => {
    expect(Math.max(...values.map(Math.abs))).toBeGreaterThan(0.01);
    expect(relativeDifference(values, wasm[part]!)).toBeLessThan(TOLERANCE);
  });
}

const ROWS = [0, 7, 7, 39, 12, 0, 25];
const PLANES = [5, 1, 0, 3, 3, 5, 2];

function constant(tf: Tensorflow, ...shape: number[]): Tensor {
  return tf.tensor(randomValues(shape, 8), shape);
}

function indices(tf: Tensorflow, values: readonly number[]): Tensor1D {
  return tf.tensor1d([...values], 'int32');
}

type MakeOperation = (tf: Tensorflow, raw: RawGradients) => Operation;

/** The layers of the network, with the shapes of their inputs. */
const LAYERS: Record<string, readonly [MakeOperation, ...Shape[]]> = {
  'convolution with ReLU': [
    (_, raw) => (x, k, b) => raw.convolution(x as Tensor4D, k as Tensor4D, b as Tensor1D, 'relu'),
    ...[[2, 5, 4, 3], [3, 3, 3, 6], [6]],
  ],
  'convolution without activation': [
    (_, raw) => (x, k, b) => raw.convolution(x as Tensor4D, k as Tensor4D, b as Tensor1D, 'none'),
    ...[[2, 5, 4, 3], [1, 1, 3, 6], [6]],
  ],
  'first convolution, of data': [
    (tf, raw) => {
      const input = constant(tf, 2, 5, 4, 3) as Tensor4D;
      return (k, b) => raw.inputConvolution(input, k as Tensor4D, b as Tensor1D);
    },
    ...[[3, 3, 3, 6], [6]],
  ],
  ReLU: [(_, raw) => (x) => raw.relu(x as Tensor2D), [4, 6]],
  'end of a residual block': [
    (_, raw) => (a, b) => raw.addRelu(a as Tensor4D, b as Tensor4D),
    ...[
      [2, 5, 4, 3],
      [2, 5, 4, 3],
    ],
  ],
  'shift of planes': [
    (_, raw) => (x, shift) => raw.shiftRelu(x as Tensor4D, shift as Tensor2D),
    ...[
      [2, 5, 4, 3],
      [2, 3],
    ],
  ],
  'global pools': [(_, raw) => (x) => raw.globalPools(x as Tensor4D), [2, 5, 4, 3]],
  'global pools of equal values': [
    (_, raw) => (x) => raw.globalPools(x.tile<Tensor4D>([1, 3, 2, 1])),
    [2, 1, 1, 3],
  ],
  'dense layer': [() => (x, k, b) => x.matMul(k).add(b), ...[[4, 6], [6, 5], [5]]],
  'policy on legal squares': [
    (tf, raw) => {
      const at = { squares: indices(tf, ROWS), planes: indices(tf, PLANES) };
      return (x, k, b) => raw.convolutionAt(x as Tensor4D, k as Tensor4D, b as Tensor1D, at);
    },
    ...[[2, 5, 4, 3], [1, 1, 3, 6], [6]],
  ],
  'policy on legal elements': [
    (tf, raw) => {
      const rows = indices(tf, ROWS);
      return (x) => raw.elementsAt(x, rows);
    },
    [4, 10],
  ],
  'cross-entropy': [
    (tf, raw) => {
      const [targets, weights] = [constant(tf, 4, 6).softmax() as Tensor2D, tf.tensor1d([1, 0.5, 0, 2])];
      return (x) => raw.weightedCrossEntropy(x as Tensor2D, targets, weights);
    },
    [4, 6],
  ],
  'binary cross-entropy': [
    (tf, raw) => {
      const [targets, weights] = [constant(tf, 4, 6).sigmoid(), constant(tf, 4, 6).square()];
      return (x) => raw.weightedBinaryCrossEntropy(x, targets, weights);
    },
    [4, 6],
  ],
};

describe('on WebAssembly, values and gradients equal those of native TensorFlow', () => {
  test.each(Object.entries(LAYERS))('%s', async (_name, [make, ...shapes]) => {
    await expectAgreement((tf) => make(tf, new RawGradients(tf)), shapes);
  });

  test('any convolution of TensorFlow.js itself', async () => {
    const size = fc.integer({ min: 1, max: 6 });
    const cases = fc.record({
      batch: fc.integer({ min: 1, max: 3 }),
      rows: fc.integer({ min: 4, max: 7 }),
      columns: fc.integer({ min: 4, max: 7 }),
      kernel: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
      planes: size,
      filters: size,
      strides: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
      pad: fc.constantFrom('same' as const, 'valid' as const),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ batch, rows, columns, planes, filters, pad, ...each }) => {
        const { kernel } = each;
        // The package's own forward convolution returns zeros if a stride is longer than the kernel.
        const strides: [number, number] = [
          Math.min(each.strides[0], kernel[0]),
          Math.min(each.strides[1], kernel[1]),
        ];
        const shapes = [
          [batch, rows, columns, planes],
          [...kernel, planes, filters],
        ];
        await expectAgreement(
          (tf) => (x, k) => tf.conv2d(x as Tensor4D, k as Tensor4D, strides, pad),
          shapes,
        );
      }),
      { numRuns: 30 },
    );
  });

  test('gather of TensorFlow.js itself, with repeated and unused rows', async () => {
    for (const [rows, axis] of [
      [[3, 0, 3, 3, 1], 0],
      [[1, 1, 0], 1],
    ] as const) {
      const make = (tf: Tensorflow): Operation => {
        const taken = indices(tf, rows);
        return (x) => x.gather(taken, axis);
      };
      await expectAgreement(make, [[5, 2, 3]]);
    }
  });
});

/** The default network's shape on the board of Gess, with fewer channels. */
const WIDE_SHAPE: NetworkShape = {
  observation: [20, 20, 20],
  numActions: 57_600,
  policyForm: 'convolution',
  config: NetworkConfig.parse({ channels: 16, blocks: 2, globalPoolEvery: 2, movesLeft: true, rings: true }),
};

describe.each([
  ...SHAPES.map(([name, shape]) => [name, shape, 6] as const),
  ['the size of Gess', WIDE_SHAPE, 8],
] as const)('a network with %s', (_name, shape, size) => {
  const { weights } = randomNetwork(shape, 2);
  const batch = randomBatch(shape, size, 40, createRng(3));

  test('has the same outputs', async () => {
    const [native, wasm] = await onBoth((tf) =>
      new TensorNetwork(tf, shape).predict(weights, batch.observations, size),
    );
    for (const [head, values] of native) {
      expect(relativeDifference(values, wasm.get(head)!), head).toBeLessThan(TOLERANCE);
    }
  });

  test.each([
    ['all losses', {}],
    ['the policy', NO_WEIGHTS],
  ])('has the same losses, and the same gradients for every parameter: %s', async (_losses, changes) => {
    const [native, wasm] = await onBoth((tf) => {
      const loss = new NetworkLoss(tf, shape, { ...LOSS_WEIGHTS, ...changes });
      const gradient = new Float32Array(weights.length);
      loss.differentiate(weights, batch, gradient);
      const before = tf.memory();
      const { sums } = loss.differentiate(weights, batch, gradient);
      expect(tf.memory()).toMatchObject({ numTensors: before.numTensors, numBytes: before.numBytes });
      return { sums, gradient };
    });
    for (const name of Object.keys(native.sums) as (keyof LossSums)[]) {
      const [value, other] = [native.sums[name], wasm.sums[name]];
      expect(Math.abs(other - value), name).toBeLessThan(TOLERANCE * Math.max(1, Math.abs(value)));
    }
    let start = 0;
    for (const spec of parameterSpecs(shape)) {
      const end = start + sizeOfShape(spec.shape);
      const [left, right] = [native.gradient.subarray(start, end), wasm.gradient.subarray(start, end)];
      expect(relativeDifference(left, right), spec.name).toBeLessThan(TOLERANCE);
      start = end;
    }
  });
});
