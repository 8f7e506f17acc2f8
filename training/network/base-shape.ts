import * as z from 'zod';

/** Settings that every network has: the trunk, the hidden layer and the policy. */
export const BaseConfig = z.strictObject({
  channels: z.int().min(1).max(512).default(32).meta({ description: 'channels of the trunk' }),
  blocks: z.int().min(0).max(64).default(4).meta({ description: 'residual blocks of two convolutions' }),
  valueHidden: z.int().min(1).max(1024).default(64).meta({ description: 'hidden units of the value head' }),
  globalPoolEvery: z.int().min(0).max(64).default(0).meta({
    description: 'global pooling in every Nth block, at most `blocks`; 0: none',
  }),
  globalPoolChannels: z.int().min(1).max(512).default(8).meta({ description: 'channels that are pooled' }),
  policyAttention: z.int().min(0).max(512).default(0).meta({
    description:
      "size of the from and to vectors whose dot product is the move's logit; 0: logits depend on the from square alone",
  }),
  movePlanes: z.boolean().default(false).meta({
    description:
      'whether the input has planes of moves: how many moves of each player end on each square; Gess only',
  }),
});
export type BaseConfig = z.infer<typeof BaseConfig>;

/**
 * Ways to compute logits of actions from the trunk's features:
 *
 * - `convolution`: as planes over the squares that moves start from;
 * - `attention`: as the dot product of the from square's vector with the sum of the to square's vector and the plane's
 *   vector, so that nothing about the destination has to travel to the from square (the idea of lc0's head:
 *   https://lczero.org/blog/2024/02/transformer-progress/; the term of the plane as in Shaw et al. 2018,
 *   "Self-Attention with Relative Position Representations");
 * - `dense`: behind a dense layer.
 */
export type PolicyForm = 'convolution' | 'attention' | 'dense';

/** Everything that determines the layers of the trunk and of each head. */
export interface BaseShape {
  /** `[rows, columns, planes]` of the input. */
  readonly observation: readonly [rows: number, columns: number, planes: number];
  readonly numActions: number;
  readonly policyForm: PolicyForm;
  /** `[numActions]` the destination square of each policy index (`Game.policyTargets`), for attention. */
  readonly policyTargets?: Uint16Array;
  readonly config: BaseConfig;
}

/** `[S, P]`: squares of the board, and logits per square if actions lie over the board. */
export function policySize({
  observation: [rows, columns],
  numActions,
}: Pick<BaseShape, 'observation' | 'numActions'>): readonly [squares: number, planes: number] {
  return [rows * columns, numActions / (rows * columns)];
}

/**
 * `[P]` the difference of the to square and the from square of each plane's moves, modulo the number of squares `S`:
 * the targets in 144 instead of 57,600 numbers in Gess.
 *
 * @param shape with attention.
 * @returns null if the moves of a plane have different differences.
 */
export function targetOffsets(shape: BaseShape): Int32Array | null {
  const [squares, planes] = policySize(shape);
  const targets = shape.policyTargets!;
  const offsets = targets.subarray(0, planes);
  const fits = targets.every(
    (target, index) => target === (Math.floor(index / planes) + offsets[index % planes]!) % squares,
  );
  return fits ? Int32Array.from(offsets) : null;
}

/**
 * `[numActions]` the index of each policy index's from and to squares among all pairs of `S` squares, `from * S + to`.
 *
 * @param shape with attention.
 */
export function movePairs(shape: BaseShape): Int32Array {
  const [squares, planes] = policySize(shape);
  return Int32Array.from(
    shape.policyTargets!,
    (target, index) => Math.floor(index / planes) * squares + target,
  );
}
