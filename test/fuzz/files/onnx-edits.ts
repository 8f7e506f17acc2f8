import { fromBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { ModelProtoSchema, toBinary } from '../../../training/network/onnx/onnx-library.js';

/** A decoded model, whose parts are changed one by one so that most results are still readable. */
type Model = ReturnType<typeof decode>;
/** A change of a model: a part chosen by `pick`, and a value. */
interface Edit {
  readonly kind: keyof typeof EDITS;
  readonly pick: number;
  readonly other: number;
  readonly value: number;
}

const OPERATORS = [
  'Conv',
  'Gemm',
  'MatMul',
  'Add',
  'Mul',
  'Div',
  'Reshape',
  'Concat',
  'Gather',
  'Cast',
  'Transpose',
];
const ODD_OPERATORS = [
  'ConstantOfShape',
  'Loop',
  'If',
  'Expand',
  'Range',
  'NonZero',
  'Identity',
  'SequenceEmpty',
  '',
];
const NUMBERS = [-1, 0, 1, 2, 3, 6, 7, 8, 255, 65_536, 200_000, 2 ** 31 - 1, 2 ** 31, 2 ** 40, -(2 ** 31)];

function decode(bytes: Uint8Array) {
  return fromBinary(ModelProtoSchema, bytes);
}

/** An element of a list that is not empty. */
function chosen<Item>(list: readonly Item[], pick: number): Item | undefined {
  return list[pick % Math.max(1, list.length)];
}

const EDITS = {
  operator: (model: Model, { pick, other }: Edit) => {
    const node = chosen(model.graph!.node, pick);
    if (node !== undefined) node.opType = chosen([...OPERATORS, ...OPERATORS, ...ODD_OPERATORS], other)!;
  },
  /** An input of a node becomes another value of the graph. */
  input: (model: Model, { pick, other, value }: Edit) => {
    const { node, initializer } = model.graph!;
    const target = chosen(node, pick);
    const names = [
      ...node.flatMap(({ output }) => output),
      ...initializer.map(({ name }) => name),
      'legal',
      '',
    ];
    if (target !== undefined && target.input.length > 0)
      target.input[value % target.input.length] = chosen(names, other)!;
  },
  attribute: (model: Model, { pick, other, value }: Edit) => {
    const attributes = model.graph!.node.flatMap(({ attribute }) => attribute);
    const attribute = chosen(attributes, pick);
    if (attribute === undefined) return;
    const number = BigInt(chosen(NUMBERS, value)!);
    if (attribute.ints.length > 0) attribute.ints[other % attribute.ints.length] = number;
    else attribute.i = number;
  },
  /** A dimension of a constant. */
  shape: (model: Model, { pick, other, value }: Edit) => {
    const constant = chosen(model.graph!.initializer, pick);
    if (constant === undefined) return;
    const number = BigInt(chosen(NUMBERS, value)!);
    if (constant.dims.length === 0 || other % 5 === 0) constant.dims.push(number);
    else constant.dims[other % constant.dims.length] = number;
  },
  /** Two dimensions of a constant are exchanged, which keeps its size. */
  turn: (model: Model, { pick }: Edit) => {
    chosen(model.graph!.initializer, pick)?.dims.reverse();
  },
  /** Bytes of a constant. */
  bytes: (model: Model, { pick, other, value }: Edit) => {
    const raw = chosen(model.graph!.initializer, pick)?.rawData;
    raw
      ?.subarray(other % Math.max(1, raw.length))
      .subarray(0, 8)
      .fill(value & 255);
  },
  type: (model: Model, { pick, value }: Edit) => {
    const constant = chosen(model.graph!.initializer, pick);
    if (constant !== undefined) constant.dataType = value % 20;
  },
  remove: (model: Model, { pick, other }: Edit) => {
    const { node, initializer } = model.graph!;
    const list = other % 2 === 0 ? node : initializer;
    list.splice(pick % Math.max(1, list.length), 1);
  },
  exchange: (model: Model, { pick, other }: Edit) => {
    const { node } = model.graph!;
    const [a, b] = [pick % node.length, other % node.length];
    [node[a], node[b]] = [node[b]!, node[a]!];
  },
  rename: (model: Model, { pick, other }: Edit) => {
    const { node, input, output } = model.graph!;
    const list = [...node.map((one) => one.output), [...input, ...output].map(({ name }) => name)];
    const names = chosen(list, pick)!;
    if (names.length > 0)
      names[0] = chosen(['observation', 'legal', 'x'.repeat(2000), '\0', names[0]!], other)!;
  },
  opset: (model: Model, { value }: Edit) => {
    model.opsetImport[0]!.version = BigInt(chosen(NUMBERS, value)!);
  },
} as const;

/**
 * Copies of ONNX models with one to three changes in their graphs: operators, inputs, attributes, shapes, types, order.
 */
export function editedModels(
  bases: readonly Uint8Array[],
): fc.Arbitrary<{ base: number; bytes: Uint8Array }> {
  const edit: fc.Arbitrary<Edit> = fc.record({
    kind: fc.constantFrom(...(Object.keys(EDITS) as (keyof typeof EDITS)[])),
    pick: fc.noBias(fc.nat(2 ** 20)),
    other: fc.noBias(fc.nat(2 ** 20)),
    value: fc.noBias(fc.nat(2 ** 20)),
  });
  return fc
    .tuple(fc.nat(bases.length - 1), fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([base, edits]) => {
      const model = decode(bases[base]!);
      for (const one of edits) EDITS[one.kind](model, one);
      return { base, bytes: toBinary(ModelProtoSchema, model) };
    });
}
