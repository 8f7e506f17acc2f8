import { littleEndian } from './little-endian.js';

/** An attribute of a node: whole number, flag, text, or a list of numbers or texts. */
type Attribute = number | boolean | string | readonly number[] | readonly string[];

/** `tensorflow.AttrValue` as protobuf writes it in JSON: texts in base64, 64-bit numbers as texts. */
type AttributeJson = Readonly<Record<string, unknown>>;

/** `tensorflow.NodeDef` in JSON. */
interface NodeJson {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr: Readonly<Record<string, AttributeJson>>;
}

/** An array of the weights' file, as `weightsManifest` tells of it. */
interface WeightJson {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: 'float32' | 'int32';
}

/** An input or output of a graph as its signature has it. */
export interface GraphValue {
  readonly name: string;
  readonly dtype: 'DT_FLOAT';
  readonly tensorShape: { readonly dim: readonly { readonly size: string }[] };
}

// An attribute that is one of these texts is an element type.
const FLOAT = 'DT_FLOAT';
const INT = 'DT_INT32';

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function attributeJson(value: Attribute): AttributeJson {
  if (typeof value === 'number') return { i: String(value) };
  if (typeof value === 'boolean') return { b: value };
  if (value === FLOAT || value === INT) return { type: value };
  if (typeof value === 'string') return { s: base64(value) };
  const texts = value.map((item) => (typeof item === 'number' ? String(item) : base64(item)));
  return { list: typeof value[0] === 'number' ? { i: texts } : { s: texts } };
}

function shapeJson(shape: readonly number[]): GraphValue['tensorShape'] {
  return { dim: shape.map((length) => ({ size: String(length) })) };
}

/** An output of a graph, float32; -1 in `shape` is any length. */
export function graphValue(node: string, shape: readonly number[]): GraphValue {
  return { name: `${node}:0`, dtype: FLOAT, tensorShape: shapeJson(shape) };
}

/**
 * Collects the nodes and constants of a TensorFlow graph in the order of evaluation, as TensorFlow.js reads it. Each method
 * returns the name of the value that it adds; layers find kernel and bias in the constants `LAYER/kernel` and `LAYER/bias`.
 *
 * @see tensorflow/core/framework/graph.proto; TensorFlow.js keeps the values of constants apart from the graph.
 */
export class TensorflowGraph {
  readonly nodes: NodeJson[] = [];
  /** The constants, in the order of their values in the weights' file. */
  readonly constants: WeightJson[] = [];
  private readonly values: (Float32Array | Int32Array)[] = [];

  /** The constants' values, little-endian. */
  weights(): Uint8Array {
    return littleEndian(...this.values);
  }

  /** The graph's input, float32; -1 in `shape` is any length. */
  placeholder(name: string, shape: readonly number[]): string {
    const attr = { dtype: attributeJson(FLOAT), shape: { shape: shapeJson(shape) } };
    this.nodes.push({ name, op: 'Placeholder', attr });
    return name;
  }

  /** A node with one output of the same name. */
  node(
    op: string,
    input: readonly string[],
    name: string,
    attributes: Readonly<Record<string, Attribute>>,
  ): string {
    const attr = Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, attributeJson(value)]),
    );
    this.nodes.push({ name, op, input, attr });
    return name;
  }

  /** Adds a constant, or finds the one of that name. */
  constant(name: string, values: Float32Array | Int32Array, shape: readonly number[]): string {
    if (this.constants.some((constant) => constant.name === name)) return name;
    const [type, dtype] =
      values instanceof Float32Array ? ([FLOAT, 'float32'] as const) : ([INT, 'int32'] as const);
    const value = { tensor: { dtype: type, tensorShape: shapeJson(shape) } };
    this.nodes.push({ name, op: 'Const', attr: { dtype: attributeJson(type), value } });
    this.constants.push({ name, shape, dtype });
    this.values.push(values);
    return name;
  }

  /** A convolution of `[B, R, C, planes]` with odd kernel that keeps rows and columns; bias, then ReLU if asked for. */
  convolution(layer: string, input: string, activation: 'relu' | 'none', output = layer): string {
    return this.node('_FusedConv2D', [input, `${layer}/kernel`, `${layer}/bias`], output, {
      T: FLOAT,
      num_args: 1,
      fused_ops: activation === 'relu' ? ['BiasAdd', 'Relu'] : ['BiasAdd'],
      strides: [1, 1, 1, 1],
      padding: 'SAME',
    });
  }

  /** `input` `[B, in]` times the kernel, plus the bias, then ReLU if asked for. */
  dense(layer: string, input: string, activation: 'relu' | 'none'): string {
    return this.node('_FusedMatMul', [input, `${layer}/kernel`, `${layer}/bias`], layer, {
      T: FLOAT,
      num_args: 1,
      fused_ops: activation === 'relu' ? ['BiasAdd', 'Relu'] : ['BiasAdd'],
      transpose_a: false,
      transpose_b: false,
    });
  }

  /** `[B, m, k]` times `[B, n, k]` transposed, `[B, m, n]`. */
  productOfRows(left: string, right: string, output: string): string {
    return this.node('BatchMatMulV2', [left, right], output, { T: FLOAT, adj_x: false, adj_y: true });
  }

  /** `a + b`, the lesser spread over the greater. */
  add(a: string, b: string, output: string): string {
    return this.node('AddV2', [a, b], output, { T: FLOAT });
  }

  /** `max(0, x)` */
  relu(input: string, output: string): string {
    return this.node('Relu', [input], output, { T: FLOAT });
  }

  /** -1 in `shape`, once: whatever length is left. */
  reshape(input: string, shape: readonly number[], output: string): string {
    const size = this.constant(`${output}/shape`, Int32Array.from(shape), [shape.length]);
    return this.node('Reshape', [input, size], output, { T: FLOAT, Tshape: INT });
  }

  /** Mean and greatest value of each plane of `[B, R, C, planes]`: `[B, 2 * planes]`; `prefix` of the nodes' names. */
  globalPools(input: string, prefix: string): string {
    const squares = this.constant('squareAxes', Int32Array.of(1, 2), [2]);
    const attributes = { T: FLOAT, Tidx: INT, keep_dims: false };
    const pools = [
      this.node('Mean', [input, squares], `${prefix}average`, attributes),
      this.node('Max', [input, squares], `${prefix}maximum`, attributes),
    ];
    const axis = this.constant('planeAxis', Int32Array.of(1), []);
    return this.node('ConcatV2', [...pools, axis], `${prefix}pooled`, {
      T: FLOAT,
      Tidx: INT,
      N: pools.length,
    });
  }

  /** Columns `indices` of `[B, n]`. */
  gatherColumns(input: string, indices: Int32Array, output: string): string {
    const columns = this.constant(`${output}/indices`, indices, [indices.length]);
    const axis = this.constant('columnAxis', Int32Array.of(1), []);
    return this.node('GatherV2', [input, columns, axis], output, {
      Tparams: FLOAT,
      Tindices: INT,
      Taxis: INT,
      batch_dims: 0,
    });
  }
}
