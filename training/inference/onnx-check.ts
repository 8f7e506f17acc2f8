import { MAX_BATCH } from '../../agents/evaluators/inference-session.js';
import { readOnnxContent, type OnnxContent, type OnnxNode } from './onnx-graph-reading.js';
import { OPERATORS, type OperatorCall, product, type Shape } from './onnx-shapes.js';
import { ProtobufError } from './protobuf-fields.js';

/** Most operations of a model; the largest configuration has a thousand. */
const MAX_NODES = 5000;
/** Most inputs of an operation. */
const MAX_INPUTS = 16;
/** Most numbers in a value between two operations, for one position: 4 MiB. */
const MAX_NUMBERS = 2 ** 20;
/**
 * Most numbers in all values between operations together, for one position, beyond the numbers of the constants: ONNX
 * Runtime chooses the order of the operations and may have all values in memory at the same time.
 */
const MAX_ALL_NUMBERS = 2 ** 27;
/** Most multiplications for one position. */
const MAX_WORK = 2 ** 37;
/** Numbers of positions and of legal actions for which a graph is checked. */
interface InputSizes {
  readonly batch: number;
  readonly legalActions: number;
}
/**
 * The smallest and the largest batch, as a value may grow with the square of the batch; two numbers of legal actions,
 * as a constant might have one of these lengths.
 */
const SIZES: readonly InputSizes[] = [
  { batch: 1, legalActions: 256 },
  { batch: MAX_BATCH, legalActions: 255 },
];
/** The outputs that a network may have (model-form.ts). */
const OUTPUTS = ['outcome', 'policy', 'legalLogits'] as const;

/** Checks a graph node by node; knows the shapes of its values, and their numbers and multiplications so far. */
class GraphCheck {
  private readonly constants: OnnxContent['constants'];
  private readonly shapes = new Map<string, Shape>();
  private readonly batch: number;
  /** Numbers in values so far; those of the constants may occur once more, in another type. */
  private numbers = 0;
  private work = 0;

  constructor({ constants, inputs }: OnnxContent, { batch, legalActions }: InputSizes) {
    this.batch = batch;
    this.constants = constants;
    const chosen = [batch, legalActions] as const;
    for (const [name, { shape }] of constants) {
      this.shapes.set(name, shape);
      this.numbers -= product(shape);
    }
    for (const [name, shape] of inputs) {
      if (shape.length > 8) throw new ProtobufError(`the input '${name}' with ${shape.length} axes`);
      const lengths = shape.map((length, axis) => length ?? chosen[axis] ?? 1);
      this.add(name, lengths);
    }
  }

  node(node: OnnxNode): void {
    const { name, operator, inputs, output, attributes } = node;
    const known = OPERATORS.get(operator);
    if (known === undefined) throw new ProtobufError(`the operator '${operator}', which is not supported`);
    const other = [...attributes.keys()].find((key) => !known.attributes.includes(key));
    if (other !== undefined) throw new ProtobufError(`the attribute '${other}' of ${operator}`);
    if (inputs.length > MAX_INPUTS) throw new ProtobufError(`${inputs.length} inputs of ${operator}`);
    const call: OperatorCall = {
      inputs: inputs.map((input) => this.shapeOf(input)),
      constants: inputs.map((input) => this.constants.get(input)),
      attributes,
    };
    const shape = known.shape(call);
    if (shape === undefined) throw new ProtobufError(`inputs that do not fit ${operator}, at '${name}'`);
    // A constant may have any size because the file contains it, and so may the same values in another type.
    this.add(output, shape, Math.max(...call.constants.map((constant) => product(constant?.shape ?? []))));
    this.numbers += product(shape);
    this.work += (known.work?.(call) ?? 1) * product(shape);
    this.expectAtMost(MAX_ALL_NUMBERS, this.numbers, 'numbers in the values');
    this.expectAtMost(MAX_WORK, this.work, 'multiplications');
  }

  /**
   * Checks the outputs after the last node: one row for each position, and one column for each legal action or result.
   * With other rows, an evaluation would be that of another position of the batch.
   */
  outputs(): void {
    const rows = this.shapes.get('observation')?.[0];
    const columns = { outcome: 3, policy: undefined, legalLogits: this.shapes.get('legal')?.[1] };
    for (const name of OUTPUTS) {
      const shape = this.shapes.get(name);
      if (shape === undefined || rows === undefined) continue;
      if (shape.length !== 2 || shape[0] !== rows || shape[1] !== (columns[name] ?? shape[1]))
        throw new ProtobufError(`the output '${name}' of shape [${shape.join(', ')}] for ${rows} positions`);
    }
  }

  private shapeOf(name: string): Shape {
    const shape = this.shapes.get(name);
    if (shape === undefined) throw new ProtobufError(`the value '${name}' before any node computes it`);
    return shape;
  }

  private add(name: string, shape: Shape, limit = 0): void {
    if (this.shapes.has(name)) throw new ProtobufError(`the value '${name}' twice`);
    if (
      !shape.every((length) => Number.isInteger(length) && length >= 1) ||
      product(shape) > Math.max(limit, MAX_NUMBERS * this.batch)
    ) {
      throw new ProtobufError(`the value '${name}' of shape [${shape.join(', ')}]`);
    }
    this.shapes.set(name, shape);
  }

  private expectAtMost(limit: number, found: number, what: string): void {
    if (found > limit * this.batch) throw new ProtobufError(`more than ${limit} ${what} for a position`);
  }
}

/**
 * Checks that a model has only what the models of this program have (training/network/onnx/): their operators, values
 * of bounded sizes, and constants in the file itself. ONNX Runtime trusts models: other operators can allocate any
 * amount of memory, and a division by zero ends the process.
 *
 * @returns the problem, or null.
 */
export function findOnnxProblem(bytes: Uint8Array): string | null {
  try {
    const content = readOnnxContent(bytes);
    if (content.nodes.length > MAX_NODES) throw new ProtobufError(`${content.nodes.length} nodes`);
    for (const sizes of SIZES) {
      const check = new GraphCheck(content, sizes);
      for (const node of content.nodes) check.node(node);
      check.outputs();
    }
    return null;
  } catch (error) {
    if (error instanceof ProtobufError) return `found ${error.message}`;
    throw error;
  }
}
