import { isUtf8 } from 'node:buffer';
import { packedNumbers, ProtobufError, type ProtobufField, protobufFields } from './protobuf-fields.js';

/** Bytes of a number by its type in ONNX: float32, uint8, int8, int32, int64. */
const NUMBER_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [2, 1],
  [3, 1],
  [6, 4],
  [7, 8],
]);

/** Types of attributes, by their numbers in ONNX. */
const ATTRIBUTE_TYPE = { number: 2, numbers: 7 } as const;

/** A constant of a graph. */
export interface OnnxConstant {
  readonly shape: readonly number[];
  /** Its values if they are few and whole numbers; else undefined. */
  readonly values: readonly number[] | undefined;
}

/** An operation of a graph. */
export interface OnnxNode {
  readonly name: string;
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes: ReadonlyMap<string, readonly number[]>;
}

/** The parts of a model that determine what it computes. */
export interface OnnxContent {
  readonly constants: ReadonlyMap<string, OnnxConstant>;
  /** Shapes of the inputs; null for a length that the caller chooses. */
  readonly inputs: ReadonlyMap<string, readonly (number | null)[]>;
  /** In the order of evaluation. */
  readonly nodes: readonly OnnxNode[];
}

type Fields = ReadonlyMap<number, readonly ProtobufField['value'][]>;

/** Most bytes of a name. */
const MAX_NAME = 1000;
/** Most values of a constant that are read. */
const MAX_VALUES = 16;

/** The fields that a message may have, by number; any other field is of a feature that this program does not write. */
interface AllowedFields {
  /**
   * Those that occur at most once. Of a repeated one, ONNX Runtime takes the last, so a check of the first would be a
   * check of another model.
   */
  readonly once: readonly number[];
  readonly often?: readonly number[];
}

/** The fields of a message by number. */
function fieldsOf(bytes: Uint8Array, message: string, { once, often = [] }: AllowedFields): Fields {
  const fields = new Map<number, ProtobufField['value'][]>();
  for (const { number, value } of protobufFields(bytes)) {
    const values = fields.get(number);
    if (!once.includes(number) && !often.includes(number))
      throw new ProtobufError(`field ${number} of ${message}, which is not supported`);
    if (values === undefined) fields.set(number, [value]);
    else if (often.includes(number)) values.push(value);
    else throw new ProtobufError(`field ${number} of ${message} twice`);
  }
  return fields;
}

function messages(fields: Fields, number: number): readonly Uint8Array[] {
  return (fields.get(number) ?? []).map((value) => {
    if (value instanceof Uint8Array) return value;
    throw new ProtobufError(`a number in place of the bytes of field ${number}`);
  });
}

/** Keeps a byte order mark: names of different bytes must stay different. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Names of values, operators and the like. */
function texts(fields: Fields, number: number): readonly string[] {
  return messages(fields, number).map((bytes) => {
    if (bytes.length > MAX_NAME) throw new ProtobufError(`a name of ${bytes.length} bytes`);
    if (!isUtf8(bytes)) throw new ProtobufError('a name that is not UTF-8');
    return decoder.decode(bytes);
  });
}

function smallNumber(value: bigint): number {
  if (value >= -(2n ** 31n) && value < 2n ** 31n) return Number(value);
  throw new ProtobufError(`the number ${value}`);
}

/** The whole number of a field that occurs once; undefined without it. */
function oneNumber(fields: Fields, number: number): number | undefined {
  const [value] = fields.get(number) ?? [];
  if (value === undefined) return undefined;
  if (typeof value === 'bigint') return smallNumber(value);
  throw new ProtobufError(`no whole number in field ${number}`);
}

/** Whole numbers of a field, packed or not. */
function numbers(fields: Fields, number: number): readonly number[] {
  const found = (fields.get(number) ?? []).flatMap((value) => {
    if (typeof value === 'bigint') return [value];
    if (value !== null) return packedNumbers(value);
    throw new ProtobufError(`no whole number in field ${number}`);
  });
  return found.map(smallNumber);
}

/** @throws ProtobufError for a name that occurs twice. */
function byName<Value>(
  entries: readonly (readonly [name: string, value: Value])[],
  what: string,
): ReadonlyMap<string, Value> {
  const map = new Map(entries);
  if (map.size === entries.length) return map;
  throw new ProtobufError(`${what} twice under one name`);
}

function readValues(bytes: Uint8Array, type: number, count: number): readonly number[] | undefined {
  if (count > MAX_VALUES || type === 1) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, index) => {
    if (type === 7) return Number(view.getBigInt64(index * 8, true));
    if (type === 6) return view.getInt32(index * 4, true);
    return type === 3 ? view.getInt8(index) : view.getUint8(index);
  });
}

/** A constant: dims 1, type 2, name 8, raw bytes 9. Other fields store values in other ways, or in other files. */
function readConstant(bytes: Uint8Array): readonly [name: string, constant: OnnxConstant] {
  const fields = fieldsOf(bytes, 'a constant', { once: [2, 8, 9], often: [1] });
  const [name = ''] = texts(fields, 8);
  const type = oneNumber(fields, 2) ?? 0;
  const [raw = new Uint8Array()] = messages(fields, 9);
  const shape = numbers(fields, 1);
  const width = NUMBER_BYTES.get(type);
  if (width === undefined) throw new ProtobufError(`the constant '${name}' of type ${type}`);
  const count = shape.reduce((product, length) => product * length, 1);
  if (shape.some((length) => length < 1) || count * width !== raw.length) {
    throw new ProtobufError(`${raw.length} bytes for the constant '${name}' of shape [${shape.join(', ')}]`);
  }
  return [name, { shape, values: readValues(raw, type, count) }];
}

/** An attribute: name 1, number 3, numbers 8, type 20, which says which of the two counts. */
function readAttribute(bytes: Uint8Array): readonly [name: string, values: readonly number[]] {
  const fields = fieldsOf(bytes, 'an attribute', { once: [1, 3, 20], often: [8] });
  const [name = ''] = texts(fields, 1);
  const type = oneNumber(fields, 20);
  if (type === ATTRIBUTE_TYPE.number && !fields.has(8)) return [name, [oneNumber(fields, 3) ?? 0]];
  if (type === ATTRIBUTE_TYPE.numbers && !fields.has(3)) return [name, numbers(fields, 8)];
  throw new ProtobufError(`the attribute '${name}' of type ${type ?? 'none'}`);
}

/** A node: inputs 1, outputs 2, name 3, operator 4, attributes 5. */
function readNode(bytes: Uint8Array): OnnxNode {
  const fields = fieldsOf(bytes, 'a node', { once: [3, 4], often: [1, 2, 5] });
  const [name = ''] = texts(fields, 3);
  const [operator = ''] = texts(fields, 4);
  const [output, ...more] = texts(fields, 2);
  if (output === undefined || more.length > 0)
    throw new ProtobufError(`several outputs of the node '${name}'`);
  const attributes = byName(messages(fields, 5).map(readAttribute), `an attribute of '${name}'`);
  return { name, operator, inputs: texts(fields, 1), output, attributes };
}

/** The message that another one wraps in its field `number`. */
function wrapped(
  bytes: Uint8Array,
  message: string,
  number: number,
  others: readonly number[] = [],
): Uint8Array {
  const [inner] = messages(fieldsOf(bytes, message, { once: [number, ...others] }), number);
  if (inner === undefined) throw new ProtobufError(`no field ${number} of ${message}`);
  return inner;
}

/** A length: a number 1, or a name 2 for one that the caller chooses, which is null. */
function readLength(bytes: Uint8Array): number | null {
  const fields = fieldsOf(bytes, 'a length', { once: [1, 2] });
  if (fields.size > 1) throw new ProtobufError('a length with a number and a name');
  return oneNumber(fields, 1) ?? null;
}

/** An input: name 1, type 2. A type has a tensor type 1, which has a shape 2 of lengths 1. */
function readInput(bytes: Uint8Array): readonly [name: string, shape: readonly (number | null)[]] {
  const fields = fieldsOf(bytes, 'an input', { once: [1, 2] });
  const [name = ''] = texts(fields, 1);
  const [type = new Uint8Array()] = messages(fields, 2);
  const shape = wrapped(wrapped(type, 'a type', 1), 'a tensor type', 2, [1]);
  return [name, messages(fieldsOf(shape, 'a shape', { once: [], often: [1] }), 1).map(readLength)];
}

/**
 * Reads the subset of ONNX that this program writes, to decide whether ONNX Runtime may read the model.
 *
 * @throws ProtobufError for anything else, such as sub-graphs, functions and values in other files.
 */
export function readOnnxContent(bytes: Uint8Array): OnnxContent {
  // IR version 1, producer 2 and 3, model version 5, text 6, graph 7, operator sets 8, metadata 14.
  const model = fieldsOf(bytes, 'a model', { once: [1, 2, 3, 4, 5, 6, 7], often: [8, 14] });
  for (const set of messages(model, 8)) {
    const [domain = ''] = texts(fieldsOf(set, 'an operator set', { once: [1, 2] }), 1);
    if (domain !== '') throw new ProtobufError(`operators of '${domain}'`);
  }
  const [graphBytes] = messages(model, 7);
  if (graphBytes === undefined) throw new ProtobufError('no graph');
  // Nodes 1, name 2, constants 5, text 10, inputs 11, outputs 12.
  const graph = fieldsOf(graphBytes, 'a graph', { once: [2, 10], often: [1, 5, 11, 12] });
  return {
    constants: byName(messages(graph, 5).map(readConstant), 'a constant'),
    inputs: byName(messages(graph, 11).map(readInput), 'an input'),
    nodes: messages(graph, 1).map(readNode),
  };
}
