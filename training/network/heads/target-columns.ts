import type { Tensor } from '@tensorflow/tfjs-node';
import { sizeOfShape } from '../../../env/spaces/shape.js';
import type { Tensorflow } from '../../tensorflow/tensorflow.js';

/** Targets of one head for the rows of a batch, in reused arrays. */
export interface HeadColumns {
  /** Sum of the weights of the first `size` rows in the head's loss. */
  sumOfWeights(size: number): number;
}

/** Targets and weights on TensorFlow, of any shape; the first axis is the row. */
export interface TargetTensors {
  readonly targets: Tensor;
  readonly weights: Tensor;
}

/** Targets that have the same shape in every row. */
export class TargetColumns implements HeadColumns {
  /** `[capacity, ...shape]` */
  readonly targets: Float32Array;
  /** `[capacity, ...weightShape]` weights in the loss; 0 where a target is unknown. */
  readonly weights: Float32Array;
  private readonly capacity: number;
  private readonly shape: readonly number[];
  private readonly weightShape: readonly number[];

  /** @param weightShape of the weights of a row; one number by default. */
  constructor(capacity: number, shape: readonly number[], weightShape: readonly number[] = []) {
    this.capacity = capacity;
    this.shape = shape;
    this.weightShape = weightShape;
    this.targets = new Float32Array(capacity * sizeOfShape(shape));
    this.weights = new Float32Array(capacity * sizeOfShape(weightShape));
  }

  /** The targets of a row, as a view. */
  targetsOf(row: number): Float32Array {
    return viewOf(this.targets, this.capacity, row, 1);
  }

  /** The weights of a row, as a view. */
  weightsOf(row: number): Float32Array {
    return viewOf(this.weights, this.capacity, row, 1);
  }

  sumOfWeights(size: number): number {
    return viewOf(this.weights, this.capacity, 0, size).reduce((total, weight) => total + weight, 0);
  }

  /** The first `size` rows; the caller's `tf.tidy` owns the tensors. */
  tensors(tf: Tensorflow, size: number): TargetTensors {
    const first = (values: Float32Array): Float32Array => viewOf(values, this.capacity, 0, size);
    return {
      targets: tf.tensor(first(this.targets), [size, ...this.shape]),
      weights: tf.tensor(first(this.weights), [size, ...this.weightShape]),
    };
  }
}

/** Rows `first` to `first + count` of `values` `[capacity, …]`. */
function viewOf(values: Float32Array, capacity: number, first: number, count: number): Float32Array {
  const width = values.length / capacity;
  return values.subarray(first * width, (first + count) * width);
}
