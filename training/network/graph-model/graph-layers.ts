import { movePairs, policySize, targetOffsets, type BaseShape } from '../base-shape.js';
import type { Layer, LayerBuilder } from '../layer-builder.js';
import { FLOAT, INT, type TensorflowGraph } from './tensorflow-graph.js';

/**
 * Adds the layers to a TensorFlow graph as nodes. Values are names of nodes, parameters are constants `LAYER/kernel`
 * and `LAYER/bias`, and planes are `[B, rows, columns, planes]`.
 */
export class GraphLayers implements LayerBuilder<string> {
  private readonly graph: TensorflowGraph;
  private readonly shape: BaseShape;
  private readonly input: string;
  private readonly hasTableOfPairs: boolean;

  /**
   * @param input the node of the observation.
   * @param hasTableOfPairs whether the graph holds the table of pairs even if it could compute it.
   */
  constructor(graph: TensorflowGraph, shape: BaseShape, input: string, hasTableOfPairs: boolean) {
    this.graph = graph;
    this.shape = shape;
    this.input = input;
    this.hasTableOfPairs = hasTableOfPairs;
  }

  observation(): string {
    return this.input;
  }

  inputConvolution(layer: Layer, planes: string): string {
    return this.convolution(layer, planes);
  }

  convolution(layer: Layer, planes: string): string {
    return this.convolutionAs(layer.name, layer, planes);
  }

  pooledShift(layer: Layer, planes: string): string {
    const shift = this.denseAs(`${layer.name}/vector`, layer, this.globalPools(planes, layer.name));
    return this.reshape(layer.name, shift, [-1, 1, 1, layer.kernel.at(-1)!]);
  }

  shiftRelu(name: string, planes: string, shift: string): string {
    return this.addRelu(name, planes, shift);
  }

  addRelu(name: string, a: string, b: string): string {
    return this.graph.node('Relu', [this.add(`${name}/sum`, a, b)], name, { T: FLOAT });
  }

  pooledDense(layer: Layer, planes: string): string {
    return this.dense(layer, this.globalPools(planes, layer.name));
  }

  dense(layer: Layer, vector: string): string {
    return this.denseAs(layer.name, layer, vector);
  }

  flatDense(layer: Layer, planes: string): string {
    return this.dense(layer, this.reshape(`${layer.name}/flat`, planes, [-1, layer.kernel[0]!]));
  }

  squareOutput(layer: Layer, planes: string): string {
    return this.convolution(layer, planes);
  }

  squareLogits(name: string, layer: Layer, planes: string): string {
    const squares = this.convolutionAs(`${name}/squares`, layer, planes);
    return this.reshape(name, squares, [-1, this.shape.numActions]);
  }

  /** Selects the logits from the products of all pairs of squares. */
  moveLogits(name: string, from: string, to: string): string {
    const { graph, shape } = this;
    const [squares] = policySize(shape);
    const vectors = (planes: string): string =>
      this.reshape(`${planes}/vectors`, planes, [-1, squares, shape.config.policyAttention]);
    const products = graph.node('BatchMatMulV2', [vectors(from), vectors(to)], `${name}/products`, {
      T: FLOAT,
      adj_x: false,
      adj_y: true,
    });
    const flat = this.reshape(`${name}/flat`, products, [-1, squares * squares]);
    const indices = this.movePairs(`${name}/pairs`);
    const axis = graph.constant('columnAxis', Int32Array.of(1), []);
    const attributes = { Tparams: FLOAT, Tindices: INT, Taxis: INT, batch_dims: 0 };
    return graph.node('GatherV2', [flat, indices, axis], name, attributes);
  }

  add(name: string, a: string, b: string): string {
    return this.graph.node('AddV2', [a, b], name, { T: FLOAT });
  }

  /** `[A]` the index of each action's pair of squares among all pairs. */
  private movePairs(name: string): string {
    const { graph, shape } = this;
    const offsets = this.hasTableOfPairs ? null : targetOffsets(shape);
    if (offsets === null) {
      const pairs = movePairs(shape);
      return graph.constant(name, pairs, [pairs.length]);
    }
    const [squares, planes] = policySize(shape);
    const whole = { T: INT };
    const from = graph.constant(
      `${name}/squares`,
      Int32Array.from({ length: squares }, (_, i) => i),
      [squares, 1],
    );
    const numSquares = graph.constant(`${name}/numSquares`, Int32Array.of(squares), []);
    const offset = graph.constant(`${name}/offsets`, offsets, [planes]);
    const sum = graph.node('AddV2', [from, offset], `${name}/unwrapped`, whole);
    const to = graph.node('FloorMod', [sum, numSquares], `${name}/to`, whole);
    const start = graph.node('Mul', [from, numSquares], `${name}/start`, whole);
    const table = graph.node('AddV2', [start, to], `${name}/table`, whole);
    const length = graph.constant(`${name}/length`, Int32Array.of(-1), [1]);
    return graph.node('Reshape', [table, length], name, { T: INT, Tshape: INT });
  }

  private convolutionAs(name: string, layer: Layer, planes: string): string {
    return this.graph.node('_FusedConv2D', [planes, `${layer.name}/kernel`, `${layer.name}/bias`], name, {
      ...fused(layer),
      strides: [1, 1, 1, 1],
      padding: 'SAME',
    });
  }

  private denseAs(name: string, layer: Layer, vector: string): string {
    return this.graph.node('_FusedMatMul', [vector, `${layer.name}/kernel`, `${layer.name}/bias`], name, {
      ...fused(layer),
      transpose_a: false,
      transpose_b: false,
    });
  }

  /** @param shape in which one -1 may stand for the remaining length. */
  private reshape(name: string, input: string, shape: readonly number[]): string {
    const size = this.graph.constant(`${name}/shape`, Int32Array.from(shape), [shape.length]);
    return this.graph.node('Reshape', [input, size], name, { T: FLOAT, Tshape: INT });
  }

  /** `[B, 2 * planes]`: mean and maximum of each plane. */
  private globalPools(planes: string, layer: string): string {
    const { graph } = this;
    const squares = graph.constant('squareAxes', Int32Array.of(1, 2), [2]);
    const attributes = { T: FLOAT, Tidx: INT, keep_dims: false };
    const pools = [
      graph.node('Mean', [planes, squares], `${layer}/average`, attributes),
      graph.node('Max', [planes, squares], `${layer}/maximum`, attributes),
    ];
    const axis = graph.constant('planeAxis', Int32Array.of(1), []);
    return graph.node('ConcatV2', [...pools, axis], `${layer}/pools`, {
      T: FLOAT,
      Tidx: INT,
      N: pools.length,
    });
  }
}

/** Attributes of an operation with bias, and with ReLU if the layer has it. */
function fused({ activation }: Layer): { T: string; num_args: number; fused_ops: readonly string[] } {
  return { T: FLOAT, num_args: 1, fused_ops: activation === 'relu' ? ['BiasAdd', 'Relu'] : ['BiasAdd'] };
}
