import type { Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs-node';
import { operationsOf } from '../../tensorflow/operations/backend-operations.js';
import type { Operations } from '../../tensorflow/operations/operations.js';
import type { Tensorflow } from '../../tensorflow/tensorflow.js';

/** `N` elements of a batch of planes over a board. */
export interface SquarePlanes {
  /** int32 `[N]` row in `[batch * rows * columns]`. */
  readonly squares: Tensor1D;
  /** int32 `[N]` plane of that square. */
  readonly planes: Tensor1D;
}

/** `N` moves of a batch from square to square. */
export interface SquareMoves extends SquarePlanes {
  /** int32 `[N]` destination, a row in `[batch * rows * columns]`. */
  readonly targets: Tensor1D;
}

/** Inputs of attention logits. */
export interface AttentionParts {
  /** `[B, rows, columns, width]` vectors of the from squares. */
  readonly queries: Tensor4D;
  /** `[B, rows, columns, width]` vectors of the to squares. */
  readonly keys: Tensor4D;
  /** `[1, 1, width, planes]` */
  readonly kernel: Tensor4D;
  /** `[planes]` */
  readonly bias: Tensor1D;
}

type Save = (tensors: Tensor[]) => void;

/**
 * Layers and losses as differentiable functions, whose gradients on the native backend are TensorFlow's own operations.
 * There TensorFlow.js would take five passes for the gradient of a ReLU and a sum over all logits for that of a
 * gather: together nearly half of a training step.
 *
 * Tensors are `[B, rows, columns, planes]`; results belong to the caller's `tf.tidy`.
 */
export class RawGradients {
  private readonly tf: Tensorflow;
  private readonly operations: Operations;

  /** Uses the currently active backend. */
  constructor(tf: Tensorflow) {
    this.tf = tf;
    this.operations = operationsOf(tf);
  }

  /**
   * ReLU of the convolution, without a gradient with respect to its input: for the first layer, whose input is data.
   */
  inputConvolution(input: Tensor4D, kernel: Tensor4D, bias: Tensor1D): Tensor4D {
    const { operations } = this;
    const run = this.tf.customGrad((...inputs) => {
      const [theKernel, theBias, save] = inputs as [Tensor4D, Tensor1D, Save];
      const value = operations.relu(operations.convolution(input, theKernel, theBias));
      save([value]);
      return {
        value,
        gradFunc: (gradient: Tensor4D, saved: Tensor[]) => {
          const sum = operations.reluGradient(gradient, saved[0] as Tensor4D);
          return [
            operations.convolutionKernelGradient(input, kernel.shape, sum),
            operations.biasGradient(sum),
          ];
        },
      };
    });
    return run(kernel, bias);
  }

  /** The convolution plus bias, followed by `activation`. */
  convolution(input: Tensor4D, kernel: Tensor4D, bias: Tensor1D, activation: 'relu' | 'none'): Tensor4D {
    const { operations } = this;
    const run = this.tf.customGrad((...inputs) => {
      const [theInput, theKernel, theBias, save] = inputs as [Tensor4D, Tensor4D, Tensor1D, Save];
      const sum = operations.convolution(theInput, theKernel, theBias);
      const value = activation === 'relu' ? operations.relu(sum) : sum;
      save([theInput, theKernel, value]);
      return {
        value,
        gradFunc: (gradient: Tensor4D, saved: Tensor[]) => {
          const [savedInput, savedKernel, output] = saved as [Tensor4D, Tensor4D, Tensor4D];
          const by = activation === 'relu' ? operations.reluGradient(gradient, output) : gradient;
          return [
            operations.convolutionInputGradient(savedInput.shape, savedKernel, by),
            operations.convolutionKernelGradient(savedInput, savedKernel.shape, by),
            operations.biasGradient(by),
          ];
        },
      };
    });
    return run(input, kernel, bias);
  }

  /** `max(0, x)`. */
  relu(input: Tensor2D): Tensor2D {
    const { operations } = this;
    const run = this.tf.customGrad((...inputs) => {
      const [theInput, save] = inputs as [Tensor2D, Save];
      const value = operations.relu(theInput);
      save([value]);
      return {
        value,
        gradFunc: (gradient: Tensor2D, saved: Tensor[]) =>
          operations.reluGradient(gradient, saved[0] as Tensor2D),
      };
    });
    return run(input);
  }

  /** ReLU of the sum of two tensors of one shape: the end of a residual block. */
  addRelu(a: Tensor4D, b: Tensor4D): Tensor4D {
    const { operations } = this;
    const run = this.tf.customGrad((...inputs) => {
      const [left, right, save] = inputs as [Tensor4D, Tensor4D, Save];
      const value = operations.relu(left.add<Tensor4D>(right));
      save([value]);
      return {
        value,
        gradFunc: (gradient: Tensor4D, saved: Tensor[]) => {
          const sum = operations.reluGradient(gradient, saved[0] as Tensor4D);
          return [sum, sum];
        },
      };
    });
    return run(a, b);
  }

  /** ReLU of `input` plus `shift` `[B, planes]` on all squares. */
  shiftRelu(input: Tensor4D, shift: Tensor2D): Tensor4D {
    const { operations } = this;
    const run = this.tf.customGrad((...inputs) => {
      const [theInput, theShift, save] = inputs as [Tensor4D, Tensor2D, Save];
      const [batch, planes] = theShift.shape;
      const value = operations.relu(theInput.add<Tensor4D>(theShift.reshape([batch, 1, 1, planes])));
      save([value]);
      return {
        value,
        gradFunc: (gradient: Tensor4D, saved: Tensor[]) => {
          const sum = operations.reluGradient(gradient, saved[0] as Tensor4D);
          return [sum, sum.sum([1, 2])];
        },
      };
    });
    return run(input, shift);
  }

  /** `[B, 2 * planes]`: mean and maximum of each plane. Each of several equal maxima gets the whole gradient. */
  globalPools(input: Tensor4D): Tensor2D {
    const { tf, operations } = this;
    const run = tf.customGrad((...inputs) => {
      const [features, save] = inputs as [Tensor4D, Save];
      const [batch, rows, columns, planes] = features.shape;
      const maximum = features.max([1, 2], true);
      save([features, maximum]);
      return {
        value: tf.concat([features.mean([1, 2]), maximum.reshape([batch, planes])], 1),
        gradFunc: (gradient: Tensor, saved: Tensor[]) => {
          const [ofMean, ofMaximum] = tf.split(gradient, 2, 1) as [Tensor, Tensor];
          const everywhere = ofMean.div(rows * columns).reshape<Tensor4D>([batch, 1, 1, planes]);
          const atMaximum = everywhere.add<Tensor4D>(ofMaximum.reshape([batch, 1, 1, planes]));
          const [savedFeatures, savedMaximum] = saved as [Tensor4D, Tensor4D];
          return operations.whereMaximum(savedFeatures, savedMaximum, atMaximum, everywhere);
        },
      };
    });
    return run(input) as Tensor2D;
  }

  /**
   * `[N]` elements of a 1x1 convolution, computed alone: a few hundred legal actions of a position instead of all
   * 57,600.
   *
   * @param kernel `[1, 1, in, planes]`.
   */
  convolutionAt(input: Tensor4D, kernel: Tensor4D, bias: Tensor1D, at: SquarePlanes): Tensor1D {
    const { operations } = this;
    const [, , inputs, planes] = kernel.shape;
    const run = this.tf.customGrad((...tensors) => {
      const [features, theKernel, theBias, save] = tensors as [Tensor4D, Tensor4D, Tensor1D, Save];
      const squares = operations.gather(features.reshape([-1, inputs]), at.squares);
      const kernels = operations.gather(theKernel.reshape([inputs, planes]).transpose(), at.planes);
      save([squares, kernels]);
      return {
        value: squares.mul(kernels).sum<Tensor1D>(1).add(operations.gather(theBias, at.planes)),
        gradFunc: (gradient: Tensor, saved: Tensor[]) => {
          const column = gradient.expandDims(1);
          const [savedSquares, savedKernels] = saved as [Tensor2D, Tensor2D];
          const numSquares = features.size / inputs;
          const ofInput = operations.sumByRow(savedKernels.mul(column), at.squares, numSquares);
          const ofKernel = operations.sumByRow(savedSquares.mul(column), at.planes, planes);
          return [
            ofInput.reshape(features.shape),
            ofKernel.transpose().reshape(kernel.shape),
            operations.sumByRow(gradient, at.planes, planes),
          ];
        },
      };
    });
    return run(input, kernel, bias) as Tensor1D;
  }

  /**
   * `[N]` logits of moves from square to square: the dot product of the from square's query with the sum of the to
   * square's key and the plane's vector, plus the plane's bias.
   *
   * @see base-shape.ts, `PolicyForm`.
   */
  attentionAt(
    { queries, keys, kernel, bias }: AttentionParts,
    { squares, planes, targets }: SquareMoves,
  ): Tensor1D {
    const { operations } = this;
    const [, , width, numPlanes] = kernel.shape;
    const run = this.tf.customGrad((...tensors) => {
      const [from, to, theKernel, theBias, save] = tensors as [Tensor4D, Tensor4D, Tensor4D, Tensor1D, Save];
      const query = operations.gather(from.reshape([-1, width]), squares);
      const vectors = operations.gather(theKernel.reshape([width, numPlanes]).transpose(), planes);
      const key = operations.gather(to.reshape([-1, width]), targets).add<Tensor2D>(vectors);
      save([query, key]);
      return {
        value: query.mul(key).sum<Tensor1D>(1).add(operations.gather(theBias, planes)),
        gradFunc: (gradient: Tensor, saved: Tensor[]) => {
          const column = gradient.expandDims(1);
          const [savedQuery, savedKey] = saved as [Tensor2D, Tensor2D];
          const numSquares = queries.size / width;
          const ofKey = savedQuery.mul<Tensor2D>(column);
          return [
            operations.sumByRow(savedKey.mul<Tensor2D>(column), squares, numSquares).reshape(queries.shape),
            operations.sumByRow(ofKey, targets, numSquares).reshape(keys.shape),
            operations.sumByRow(ofKey, planes, numPlanes).transpose().reshape(kernel.shape),
            operations.sumByRow(gradient, planes, numPlanes),
          ];
        },
      };
    });
    return run(queries, keys, kernel, bias) as Tensor1D;
  }

  /** `[N]` elements of the flattened `input` at `indices` (int32 `[N]`). */
  elementsAt(input: Tensor, indices: Tensor1D): Tensor1D {
    const { operations } = this;
    const run = this.tf.customGrad((...inputs) => {
      const flat = (inputs[0] as Tensor).reshape([-1]);
      return {
        value: operations.gather(flat, indices),
        gradFunc: (gradient: Tensor) =>
          operations.scatter(gradient as Tensor1D, indices, input.size).reshape(input.shape),
      };
    });
    return run(input) as Tensor1D;
  }

  /**
   * Sum over positions of the weighted cross-entropy of softmax of `logits` `[B, K]` against `targets`
   * `[B, K]`, whose rows sum to 1.
   *
   * @param weights `[B]`.
   */
  weightedCrossEntropy(logits: Tensor2D, targets: Tensor2D, weights: Tensor1D): Tensor {
    const { operations } = this;
    const run = this.tf.customGrad((...inputs) => {
      const [theLogits, save] = inputs as [Tensor2D, Save];
      const [loss, gradient] = operations.softmaxCrossEntropy(theLogits, targets);
      save([gradient]);
      return {
        value: loss.mul(weights).sum(),
        gradFunc: (outer: Tensor, saved: Tensor[]) => saved[0]!.mul(weights.expandDims(1)).mul(outer),
      };
    });
    return run(logits);
  }

  /**
   * Sum of the weighted cross-entropies of independent binary predictions.
   *
   * @param logits, targets in [0, 1] and `weights` of one shape.
   */
  weightedBinaryCrossEntropy(logits: Tensor, targets: Tensor, weights: Tensor): Tensor {
    const run = this.tf.customGrad((...inputs) => {
      const [theLogits, save] = inputs as [Tensor, Save];
      // max(x, 0) - x t + log(1 + e^-|x|), which is finite for every x.
      const rest = theLogits.abs().neg().exp().log1p();
      const loss = theLogits.relu().sub(theLogits.mul(targets)).add(rest);
      save([theLogits]);
      return {
        value: loss.mul(weights).sum(),
        gradFunc: (outer: Tensor, saved: Tensor[]) =>
          saved[0]!.sigmoid().sub(targets).mul(weights).mul(outer),
      };
    });
    return run(logits);
  }
}
