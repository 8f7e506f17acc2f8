import type { Tensor1D } from '@tensorflow/tfjs-node';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { policySize, type BaseShape } from './base-shape.js';
import type { SquareMoves, SquarePlanes } from './gradients/raw-gradients.js';

/** Policy indices of a batch: `legal` `[size, width]`. */
export interface BatchActions {
  readonly size: number;
  readonly width: number;
  readonly legal: Int32Array;
}

/** Places of the logits of a batch's legal actions, `N = B * K`, by the form of the policy. */
export type LegalIndices =
  | ({ readonly form: 'convolution' } & SquarePlanes)
  | ({ readonly form: 'attention' } & SquareMoves)
  /** `elements`: int32 `[N]` index into the flattened `[B, numActions]`. */
  | { readonly form: 'dense'; readonly elements: Tensor1D };

/** Places of the logits of a batch's actions; the caller's `tf.tidy` owns the tensors. */
export function legalIndices(
  tf: Tensorflow,
  shape: BaseShape,
  { size, width, legal }: BatchActions,
): LegalIndices {
  const count = size * width;
  if (shape.policyForm === 'dense') {
    const elements = new Int32Array(count);
    for (let i = 0; i < count; i++) elements[i] = Math.floor(i / width) * shape.numActions + legal[i]!;
    return { form: 'dense', elements: tf.tensor1d(elements, 'int32') };
  }
  const squares = new Int32Array(count);
  const planes = new Int32Array(count);
  const { policyTargets } = shape;
  const targets = new Int32Array(policyTargets === undefined ? 0 : count);
  const [numSquares, numPlanes] = policySize(shape);
  for (let row = 0, i = 0; row < size; row++) {
    for (const end = i + width; i < end; i++) {
      const index = legal[i]!;
      const square = Math.floor(index / numPlanes);
      squares[i] = row * numSquares + square;
      planes[i] = index - square * numPlanes;
      if (policyTargets !== undefined) targets[i] = row * numSquares + policyTargets[index]!;
    }
  }
  const at = { squares: tf.tensor1d(squares, 'int32'), planes: tf.tensor1d(planes, 'int32') };
  if (shape.policyForm === 'convolution') return { form: 'convolution', ...at };
  return { form: 'attention', ...at, targets: tf.tensor1d(targets, 'int32') };
}
