import type { OnnxConstant, OnnxNode } from './onnx-graph-reading.js';

/** Lengths of a value's axes. */
export type Shape = readonly number[];

/** Most rows or columns of zero padding at an edge of a convolution's planes. */
const MAX_PAD = 32;
/** Number of the type int64 in attributes. */
const INT64 = 7;

/** A call of an operator, from which its output shape follows. */
export interface OperatorCall {
  readonly inputs: readonly Shape[];
  /** The inputs that are constants, at their indices. */
  readonly constants: readonly (OnnxConstant | undefined)[];
  readonly attributes: OnnxNode['attributes'];
}

/** An operator that models may have. */
export interface Operator {
  /** Names of its attributes. */
  readonly attributes: readonly string[];
  /** Shape of the output; undefined for inputs that do not fit. */
  readonly shape: (call: OperatorCall) => Shape | undefined;
  /** Multiplications for each number of the output; none by default. */
  readonly work?: (call: OperatorCall) => number;
}

/** The broadcast shape of two values: lengths are equal, or one of them is 1. */
function broadcast(a: Shape = [], b: Shape = []): Shape | undefined {
  const axes = Math.max(a.length, b.length);
  const shape = Array.from({ length: axes }, (_, axis) => {
    const left = a[axis - axes + a.length] ?? 1;
    const right = b[axis - axes + b.length] ?? 1;
    return left === right || right === 1 ? left : left === 1 ? right : -1;
  });
  return shape.includes(-1) ? undefined : shape;
}

const likeFirst: Operator['shape'] = ({ inputs: [first] }) => first;
const likeBoth: Operator['shape'] = ({ inputs: [a, b] }) => (a && b ? broadcast(a, b) : undefined);

const asWholeNumbers: Operator['shape'] = ({ inputs: [first], attributes }) =>
  attributes.get('to')?.[0] === INT64 ? first : undefined;

/** Division of whole numbers by constants; a division by 0 would end the process. */
const dividedBy: Operator['shape'] = (call) =>
  call.constants[1]?.values?.every((value) => value > 0) === true ? likeBoth(call) : undefined;

function convolved({ inputs: [planes, kernel], attributes }: OperatorCall): Shape | undefined {
  const [batch, channels, height, width] = planes ?? [];
  const [outputs, inputs, rows, columns] = kernel ?? [];
  const pads = attributes.get('pads') ?? [0, 0, 0, 0];
  const [top, left, bottom, right] = pads;
  if (channels === undefined || channels !== inputs) return undefined;
  if (pads.length !== 4 || pads.some((pad) => pad < 0 || pad > MAX_PAD)) return undefined;
  return [batch!, outputs!, height! + top! + bottom! - rows! + 1, width! + left! + right! - columns! + 1];
}

/** How many numbers a value of this shape has. */
export function product(shape: Shape): number {
  return shape.reduce((size, length) => size * length, 1);
}

function multiplied({ inputs: [a = [], b = []] }: OperatorCall): Shape | undefined {
  if (a.length < 2 || b.length < 2 || a.at(-1) !== b.at(-2)) return undefined;
  const outer = broadcast(a.slice(0, -2), b.slice(0, -2));
  return outer && [...outer, a.at(-2)!, b.at(-1)!];
}

function gathered({ inputs: [values, indices], attributes }: OperatorCall): Shape | undefined {
  const [axis = 0] = attributes.get('axis') ?? [];
  if (values?.[axis] === undefined || indices === undefined) return undefined;
  return [...values.slice(0, axis), ...indices, ...values.slice(axis + 1)];
}

function gatheredRows({ inputs: [values, indices], attributes }: OperatorCall): Shape | undefined {
  const [batches = 0] = attributes.get('batch_dims') ?? [];
  const depth = indices?.at(-1);
  if (values === undefined || depth === undefined || batches < 0 || batches + depth > values.length)
    return undefined;
  return [...indices!.slice(0, -1), ...values.slice(batches + depth)];
}

/** In the wanted shape, 0 keeps a length and -1 stands for the remaining one. */
function reshaped({ inputs: [values], constants: [, wanted] }: OperatorCall): Shape | undefined {
  if (values === undefined || wanted?.values === undefined) return undefined;
  const lengths = wanted.values.map((length, axis) => (length === 0 ? (values[axis] ?? -2) : length));
  const known = product(lengths.filter((length) => length !== -1));
  const left = product(values) / known;
  const shape = lengths.map((length) => (length === -1 ? left : length));
  return product(shape) === product(values) ? shape : undefined;
}

function joined({ inputs, attributes }: OperatorCall): Shape | undefined {
  const [axis = 0] = attributes.get('axis') ?? [];
  const [first] = inputs;
  if (first?.[axis] === undefined || inputs.some((shape) => shape.length !== first.length)) return undefined;
  const length = inputs.reduce((sum, shape) => sum + shape[axis]!, 0);
  return first.map((own, at) => (at === axis ? length : own));
}

function permuted({ inputs: [values = []], attributes }: OperatorCall): Shape | undefined {
  const order = attributes.get('perm') ?? [];
  if (order.length !== values.length || new Set(order).size !== order.length) return undefined;
  const shape = order.map((axis) => values[axis] ?? -1);
  return shape.includes(-1) ? undefined : shape;
}

function withoutAxis({ inputs, constants: [, axes], attributes }: OperatorCall): Shape | undefined {
  const [values = []] = inputs;
  const [axis = -1, ...more] = axes?.values ?? [];
  // By default the axis stays, with the length 1.
  if (attributes.get('keepdims')?.[0] !== 0) return undefined;
  if (more.length > 0 || values[axis] === undefined) return undefined;
  return [...values.slice(0, axis), ...values.slice(axis + 1)];
}

function withAxis({ inputs: [values], constants: [, axes] }: OperatorCall): Shape | undefined {
  const [axis, ...more] = axes?.values ?? [];
  if (values === undefined || axis === undefined || more.length > 0 || axis < 0 || axis > values.length)
    return undefined;
  return [...values.slice(0, axis), 1, ...values.slice(axis)];
}

const pooled: Operator['shape'] = ({ inputs: [planes] }) =>
  planes?.length === 4 ? [planes[0]!, planes[1]!, 1, 1] : undefined;

/** All operators of the models that this program writes (training/network/onnx/), by name. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['Add', { attributes: [], shape: likeBoth }],
  ['Cast', { attributes: ['to'], shape: asWholeNumbers }],
  ['Concat', { attributes: ['axis'], shape: joined }],
  [
    'Conv',
    {
      attributes: ['kernel_shape', 'pads'],
      shape: convolved,
      work: ({ inputs: [, kernel = []] }) => product(kernel.slice(1)),
    },
  ],
  ['DequantizeLinear', { attributes: ['axis'], shape: likeFirst }],
  ['Div', { attributes: [], shape: dividedBy }],
  ['Flatten', { attributes: [], shape: ({ inputs: [a] }) => a && [a[0] ?? 1, product(a.slice(1))] }],
  ['Gather', { attributes: ['axis'], shape: gathered }],
  ['GatherElements', { attributes: ['axis'], shape: ({ inputs: [, indices] }) => indices }],
  ['GatherND', { attributes: ['batch_dims'], shape: gatheredRows }],
  ['Gemm', { attributes: [], shape: multiplied, work: ({ inputs: [a = []] }) => a.at(-1) ?? 1 }],
  ['GlobalAveragePool', { attributes: [], shape: pooled }],
  ['GlobalMaxPool', { attributes: [], shape: pooled }],
  ['MatMul', { attributes: [], shape: multiplied, work: ({ inputs: [a = []] }) => a.at(-1) ?? 1 }],
  ['Mod', { attributes: [], shape: dividedBy }],
  ['Mul', { attributes: [], shape: likeBoth }],
  ['QuantizeLinear', { attributes: [], shape: likeFirst }],
  ['ReduceSum', { attributes: ['keepdims'], shape: withoutAxis }],
  ['Relu', { attributes: [], shape: likeFirst }],
  ['Reshape', { attributes: [], shape: reshaped }],
  ['Transpose', { attributes: ['perm'], shape: permuted }],
  ['Unsqueeze', { attributes: [], shape: withAxis }],
]);
