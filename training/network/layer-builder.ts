/** A layer with a kernel and a bias, `NAME/kernel` and `NAME/bias` among the parameters. */
export interface Layer {
  readonly name: string;
  /** Shape of the kernel: convolutions `[height, width, in, out]`, dense layers `[in, out]`. The bias is `[out]`. */
  readonly kernel: readonly number[];
  /** Standard deviation of the kernel's initial normal distribution; 0: it starts at zero, as all biases do. */
  readonly deviation: number;
  readonly activation: 'relu' | 'none';
}

/**
 * A layer initialised so that the variance of activations survives the layer and its ReLU (He et al. 2015, eq. 10).
 *
 * @param activation ReLU by default.
 * @param branches number of summed branches with this layer; the deviation is divided by its square root.
 */
export function heLayer(
  name: string,
  kernel: readonly number[],
  { activation = 'relu', branches = 1 }: { activation?: Layer['activation']; branches?: number } = {},
): Layer {
  const fanIn = kernel.slice(0, -1).reduce((product, length) => product * length, 1);
  return { name, kernel, deviation: Math.sqrt(2 / fanIn) / Math.sqrt(branches), activation };
}

/** A layer without activation that starts at zero. */
export function zeroLayer(name: string, kernel: readonly number[]): Layer {
  return { name, kernel, deviation: 0, activation: 'none' };
}

/**
 * The layers of the trunk, applied to values of some kind: tensors, or names in a graph. Planes are `[B, rows, columns,
 * planes]` for tensors; each builder chooses its own layout. A value is named after its layer, or by `name`.
 */
export interface TrunkBuilder<Value> {
  /** The planes of the observation. */
  observation(name: string): Value;
  /** A convolution of the observation, whose gradient is never needed. */
  inputConvolution(layer: Layer, planes: Value): Value;
  /** A convolution with an odd kernel that keeps rows and columns. */
  convolution(layer: Layer, planes: Value): Value;
  /** A dense layer of the global pools of `planes` (mean and maximum of each), to add on every square. */
  pooledShift(layer: Layer, planes: Value): Value;
  /** ReLU of `planes` plus, on every square, the value that `pooledShift` returned. */
  shiftRelu(name: string, planes: Value, shift: Value): Value;
  /** ReLU of the sum of two values of one shape: the end of a residual block. */
  addRelu(name: string, a: Value, b: Value): Value;
}

/** The layers of the whole network. Vectors are `[B, n]`. */
export interface LayerBuilder<Value> extends TrunkBuilder<Value> {
  /** A vector from a dense layer of the global pools of `planes`. */
  pooledDense(layer: Layer, planes: Value): Value;
  /** A vector from a dense layer of a vector. */
  dense(layer: Layer, vector: Value): Value;
  /** A vector from a dense layer of all planes of all squares, planes fastest. */
  flatDense(layer: Layer, planes: Value): Value;
  /** A convolution as an output of the network: `[B, rows, columns, out]` for every builder. */
  squareOutput(layer: Layer, planes: Value): Value;
  /** A convolution as a vector, squares in order, planes fastest: one logit for each action. */
  squareLogits(name: string, layer: Layer, planes: Value): Value;
  /** The dot products of vectors of the from and the to square of each action: one logit for each. */
  moveLogits(name: string, from: Value, to: Value): Value;
  /** The sum of two vectors. */
  add(name: string, a: Value, b: Value): Value;
}

/** The layers with logits of legal actions only, `[B, K]`; `Legal` represents their policy indices. */
export interface LegalLayerBuilder<Value, Legal> extends LayerBuilder<Value> {
  /** The logits of the legal actions among those that `squareLogits` computes. */
  legalSquareLogits(layer: Layer, planes: Value, legal: Legal): Value;
  /** The logits of the legal actions among the sums of `moveLogits` and the `squareLogits` of the from vectors. */
  legalMoveLogits(layer: Layer, vectors: MoveVectors<Value>, legal: Legal): Value;
  /** The elements of `logits` that belong to the legal actions. */
  legalElements(logits: Value, legal: Legal): Value;
}

/** Vectors of the squares that moves start from and go to, as planes over the board. */
export interface MoveVectors<Value> {
  readonly from: Value;
  readonly to: Value;
}
