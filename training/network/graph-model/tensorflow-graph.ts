import { littleEndian } from '../little-endian.js';

/** An attribute of a node: integer, flag, text, or a list of integers or texts. */
type Attribute = number | boolean | string | readonly number[] | readonly string[];

/** `tensorflow.AttrValue` in protobuf's JSON: texts in base64, 64-bit numbers as texts. */
type AttributeJson = Readonly<Record<string, unknown>>;

/** `tensorflow.NodeDef` in JSON. */
interface NodeJson {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr: Readonly<Record<string, AttributeJson>>;
}

/** An array of the weights file, as `weightsManifest` lists it. */
interface WeightJson {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: 'float32' | 'int32';
}

/** An input or output of a graph, in its signature. */
export interface GraphValue {
  readonly name: string;
  readonly dtype: 'DT_FLOAT';
  readonly tensorShape: { readonly dim: readonly { readonly size: string }[] };
}

// Attributes with one of these values are element types.
export const FLOAT = 'DT_FLOAT';
export const INT = 'DT_INT32';

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

/** A float32 output of a graph; -1 in `shape` is any length. */
export function graphValue(node: string, shape: readonly number[]): GraphValue {
  return { name: `${node}:0`, dtype: FLOAT, tensorShape: shapeJson(shape) };
}

/**
 * Collects the nodes and constants of a TensorFlow graph in the order of evaluation, as TensorFlow.js reads it. Each
 * method returns the name of the value that it adds.
 *
 * @see tensorflow/core/framework/graph.proto; TensorFlow.js stores the values of constants apart from the graph.
 */
export class TensorflowGraph {
  readonly nodes: NodeJson[] = [];
  /** The constants, in the order of their values in the weights file. */
  readonly constants: WeightJson[] = [];
  private readonly values: (Float32Array | Int32Array)[] = [];

  /** The constants' values, little-endian. */
  weights(): Uint8Array {
    return littleEndian(...this.values);
  }

  /** Adds the graph's float32 input; -1 in `shape` is any length. */
  placeholder(name: string, shape: readonly number[]): string {
    const attr = { dtype: attributeJson(FLOAT), shape: { shape: shapeJson(shape) } };
    this.nodes.push({ name, op: 'Placeholder', attr });
    return name;
  }

  /** Adds a node with one float32 output of the same name. */
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

  /** Adds a constant, unless there is one of that name. */
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
}
