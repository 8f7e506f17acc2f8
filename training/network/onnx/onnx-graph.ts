import {
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  create,
  NodeProtoSchema,
  TensorProto_DataType,
  TensorProtoSchema,
  ValueInfoProtoSchema,
  type AttributeProto,
  type NodeProto,
  type TensorProto,
  type ValueInfoProto,
} from './onnx-library.js';
import type { LayerWeights } from './layer-weights.js';
import { littleEndian, type LittleEndianArray } from '../little-endian.js';

type Attribute = number | readonly number[];

function attributeProto(name: string, value: Attribute): AttributeProto {
  return typeof value === 'number'
    ? create(AttributeProtoSchema, { name, type: AttributeProto_AttributeType.INT, i: BigInt(value) })
    : create(AttributeProtoSchema, {
        name,
        type: AttributeProto_AttributeType.INTS,
        ints: value.map(BigInt),
      });
}

/** An input or output of a graph; a text in `shape` names a dimension of any length. */
export function onnxValue(
  name: string,
  elementType: 'float32' | 'int32',
  shape: readonly (number | string)[],
): ValueInfoProto {
  const dim = shape.map((length) => ({
    value:
      typeof length === 'number'
        ? { case: 'dimValue' as const, value: BigInt(length) }
        : { case: 'dimParam' as const, value: length },
  }));
  const elemType = ONNX_TYPE[elementType];
  return create(ValueInfoProtoSchema, {
    name,
    type: { value: { case: 'tensorType', value: { elemType, shape: { dim } } } },
  });
}

/** Element types by the numbers that attributes use. */
export const ONNX_TYPE = {
  float32: TensorProto_DataType.FLOAT,
  int32: TensorProto_DataType.INT32,
  int64: TensorProto_DataType.INT64,
  int8: TensorProto_DataType.INT8,
  uint8: TensorProto_DataType.UINT8,
} as const;

function typeOf(values: LittleEndianArray): TensorProto_DataType {
  if (values instanceof Float32Array) return ONNX_TYPE.float32;
  if (values instanceof Int32Array) return ONNX_TYPE.int32;
  if (values instanceof BigInt64Array) return ONNX_TYPE.int64;
  return values instanceof Int8Array ? ONNX_TYPE.int8 : ONNX_TYPE.uint8;
}

/** Converts a kernel from TensorFlow's `[H, W, I, O]` to ONNX's `[O, I, H, W]`. */
export function outputsFirst(values: Float32Array, shape: readonly number[]): Float32Array {
  const [height, width, inputs, outputs] = shape as [number, number, number, number];
  const out = new Float32Array(values.length);
  let from = 0;
  for (let square = 0; square < height * width; square++) {
    for (let input = 0; input < inputs; input++) {
      for (let output = 0; output < outputs; output++, from++) {
        out[(output * inputs + input) * height * width + square] = values[from]!;
      }
    }
  }
  return out;
}

/**
 * Collects the nodes and constants of an ONNX graph in the order of evaluation. Each method returns the
 * name of the value that it adds.
 */
export class OnnxGraph {
  readonly nodes: NodeProto[] = [];
  readonly constants: TensorProto[] = [];

  /** Adds a node with one output. */
  node(
    opType: string,
    inputs: readonly string[],
    output: string,
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string {
    const attribute = Object.entries(attributes).map(([name, value]) => attributeProto(name, value));
    this.nodes.push(
      create(NodeProtoSchema, { name: output, opType, input: [...inputs], output: [output], attribute }),
    );
    return output;
  }

  /** Adds a constant. */
  constant(name: string, values: LittleEndianArray, shape: readonly number[]): string {
    const [dataType, dims] = [typeOf(values), shape.map(BigInt)];
    this.constants.push(create(TensorProtoSchema, { name, dataType, dims, rawData: littleEndian(values) }));
    return name;
  }

  /** A convolution of `[B, planes, R, C]` with odd kernel that keeps rows and columns. */
  convolution(
    name: string,
    input: string,
    { kernel, kernelShape, bias }: LayerWeights,
    output: string,
  ): string {
    const [height, width, inputs, outputs] = kernelShape as [number, number, number, number];
    const weights = [
      this.constant(`${name}/kernel`, outputsFirst(kernel, kernelShape), [outputs, inputs, height, width]),
      this.constant(`${name}/bias`, bias, [outputs]),
    ] as const;
    return this.convolutionBy([input, ...weights], kernelShape, output);
  }

  /**
   * A convolution whose kernel and bias are values of the graph.
   *
   * @param inputs kernel `[O, I, H, W]` for a `kernelShape` of `[H, W, I, O]`, bias `[O]`.
   */
  convolutionBy(
    inputs: readonly [input: string, kernel: string, bias: string],
    kernelShape: readonly number[],
    output: string,
  ): string {
    const [height, width] = kernelShape as [number, number];
    const margins = [(height - 1) / 2, (width - 1) / 2];
    return this.node('Conv', inputs, output, {
      kernel_shape: [height, width],
      pads: [...margins, ...margins],
    });
  }

  /** `input` `[B, in]` times the kernel, plus the bias. */
  dense(name: string, input: string, weights: LayerWeights, output: string): string {
    const constants = [
      this.constant(`${name}/kernel`, weights.kernel, weights.kernelShape),
      this.constant(`${name}/bias`, weights.bias, [weights.bias.length]),
    ];
    return this.node('Gemm', [input, ...constants], output);
  }

  /** `max(0, x)` */
  relu(input: string, output: string): string {
    return this.node('Relu', [input], output);
  }
}
