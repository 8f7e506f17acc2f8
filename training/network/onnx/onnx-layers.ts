import { movePairs, policySize, targetOffsets, type BaseShape } from '../base-shape.js';
import type { Layer, LayerBuilder } from '../layer-builder.js';
import type { LayerWeights, WeightsOf } from './layer-weights.js';
import type { OnnxGraph } from './onnx-graph.js';

/** The number format of convolutions and of the values between them. Each method returns the value that it adds. */
export interface Arithmetic {
  /** The convolution of a layer, without its activation. */
  convolution(layer: Layer, input: string, output: string): string;
  /**
   * Prepares a value as an input of the following layers.
   *
   * @param name of the value, as `LayerBuilder` names it.
   */
  stored(name: string): string;
}

/** Convolutions in float32. */
export function float32Arithmetic(graph: OnnxGraph, weights: WeightsOf): Arithmetic {
  return {
    convolution: (layer, input, output) => graph.convolution(layer.name, input, weights(layer), output),
    stored: (name) => name,
  };
}

/** The graph to which layers are added, and their network. */
export interface OnnxTarget {
  readonly graph: OnnxGraph;
  readonly shape: BaseShape;
  readonly weights: WeightsOf;
  readonly arithmetic: Arithmetic;
}

/** Adds the layers to an ONNX graph as nodes. Values are names; planes are float32 `[B, planes, rows, columns]`. */
export class OnnxLayers implements LayerBuilder<string> {
  protected readonly graph: OnnxGraph;
  protected readonly shape: BaseShape;
  protected readonly weights: WeightsOf;
  private readonly arithmetic: Arithmetic;

  constructor({ graph, shape, weights, arithmetic }: OnnxTarget) {
    this.graph = graph;
    this.shape = shape;
    this.weights = weights;
    this.arithmetic = arithmetic;
  }

  observation(name: string): string {
    return this.graph.node('Transpose', ['observation'], name, { perm: [0, 3, 1, 2] });
  }

  inputConvolution(layer: Layer, planes: string): string {
    return this.convolution(layer, planes);
  }

  convolution(layer: Layer, planes: string): string {
    return this.activated(layer, (output) =>
      this.arithmetic.convolution(layer, this.arithmetic.stored(planes), output),
    );
  }

  /** A convolution of one square. */
  pooledShift(layer: Layer, planes: string): string {
    const pools = this.globalPools(planes, layer.name);
    const { kernel, kernelShape, bias } = this.weights(layer);
    const weights = { kernel, kernelShape: [1, 1, ...kernelShape], bias };
    return this.graph.convolution(layer.name, pools, weights, layer.name);
  }

  shiftRelu(name: string, planes: string, shift: string): string {
    return this.addRelu(name, planes, shift);
  }

  addRelu(name: string, a: string, b: string): string {
    const inputs = [this.arithmetic.stored(a), this.arithmetic.stored(b)];
    return this.graph.relu(this.graph.node('Add', inputs, `${name}/sum`), name);
  }

  pooledDense(layer: Layer, planes: string): string {
    const pools = this.globalPools(planes, layer.name);
    return this.dense(layer, this.graph.node('Flatten', [pools], `${layer.name}/pools/flat`));
  }

  dense(layer: Layer, vector: string): string {
    return this.denseBy(layer, vector, this.weights(layer));
  }

  flatDense(layer: Layer, planes: string): string {
    const [rows, columns] = this.shape.observation;
    const flat = this.graph.node('Flatten', [planes], `${layer.name}/flat`);
    return this.denseBy(layer, flat, planesFirst(this.weights(layer), rows * columns));
  }

  squareOutput(layer: Layer, planes: string): string {
    return this.squaresFirst(this.planesOf(layer, planes), layer.name);
  }

  squareLogits(name: string, layer: Layer, planes: string): string {
    const squares = this.squaresFirst(this.planesOf(layer, planes), `${name}/squares`);
    return this.graph.node('Flatten', [squares], name);
  }

  /** Selects the logits from the products of all pairs of squares. */
  moveLogits(name: string, from: string, to: string): string {
    const { graph } = this;
    const products = graph.node('MatMul', [this.vectorRows(from), this.vectors(to)], `${name}/products`);
    const flat = graph.node('Flatten', [products], `${name}/flat`);
    return graph.node('Gather', [flat, this.movePairs(`${name}/pairs`)], name, { axis: 1 });
  }

  /** `[A]` the index of each action's pair of squares among all pairs. */
  private movePairs(name: string): string {
    const { graph, shape } = this;
    const offsets = targetOffsets(shape);
    if (offsets === null) {
      const pairs = movePairs(shape);
      return graph.constant(name, pairs, [pairs.length]);
    }
    const [squares, planes] = policySize(shape);
    const from = graph.constant(
      `${name}/squares`,
      Int32Array.from({ length: squares }, (_, i) => i),
      [squares, 1],
    );
    const numSquares = graph.constant('numSquares', Int32Array.of(squares), [1]);
    const offset = graph.constant('targetOffsets', offsets, [planes]);
    const to = graph.node(
      'Mod',
      [graph.node('Add', [from, offset], `${name}/unwrapped`), numSquares],
      `${name}/to`,
    );
    const start = graph.node('Mul', [from, numSquares], `${name}/start`);
    const length = graph.constant(`${name}/length`, BigInt64Array.of(-1n), [1]);
    return graph.node('Reshape', [graph.node('Add', [start, to], `${name}/table`), length], name);
  }

  add(name: string, a: string, b: string): string {
    return this.graph.node('Add', [a, b], name);
  }

  /** `[B, out, rows, columns]` a convolution under another name, since its transposed output takes the layer's name. */
  protected planesOf(layer: Layer, planes: string): string {
    return this.graph.convolution(layer.name, planes, this.weights(layer), `${layer.name}/planes`);
  }

  /** `[B, S, width]` the vectors of the squares in planes `[B, width, R, C]`. */
  protected vectorRows(planes: string): string {
    const vectors = this.vectors(planes);
    return this.graph.node('Transpose', [vectors], `${vectors}/rows`, { perm: [0, 2, 1] });
  }

  /** `[B, width, S]` */
  private vectors(planes: string): string {
    // 0 keeps a length, -1 stands for the remaining one.
    const shape = this.graph.constant(`${planes}/shape`, BigInt64Array.of(0n, 0n, -1n), [3]);
    return this.graph.node('Reshape', [planes, shape], `${planes}/vectors`);
  }

  /** `[B, R, C, planes]` */
  private squaresFirst(planes: string, output: string): string {
    return this.graph.node('Transpose', [planes], output, { perm: [0, 2, 3, 1] });
  }

  private activated({ name, activation }: Layer, sum: (output: string) => string): string {
    return activation === 'relu' ? this.graph.relu(sum(`${name}/sum`), name) : sum(name);
  }

  private denseBy(layer: Layer, vector: string, weights: LayerWeights): string {
    return this.activated(layer, (output) => this.graph.dense(layer.name, vector, weights, output));
  }

  /** Mean and maximum of each plane, `[B, 2 * planes, 1, 1]`. */
  private globalPools(planes: string, layer: string): string {
    const stored = this.arithmetic.stored(planes);
    const pools = [
      this.graph.node('GlobalAveragePool', [stored], `${layer}/average`),
      this.graph.node('GlobalMaxPool', [stored], `${layer}/maximum`),
    ];
    return this.graph.node('Concat', pools, `${layer}/pools`, { axis: 1 });
  }
}

/** Reorders the rows of a kernel of `flatDense` from planes fastest (TensorFlow) to planes slowest (ONNX). */
function planesFirst(weights: LayerWeights, squares: number): LayerWeights {
  const [rows, outputs] = weights.kernelShape as [number, number];
  const planes = rows / squares;
  const kernel = new Float32Array(weights.kernel.length);
  for (let row = 0; row < rows; row++) {
    const square = Math.floor(row / planes);
    const plane = row % planes;
    kernel.set(
      weights.kernel.subarray(row * outputs, (row + 1) * outputs),
      (plane * squares + square) * outputs,
    );
  }
  return { ...weights, kernel };
}
