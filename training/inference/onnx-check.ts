import { readOnnxContent, type OnnxContent, type OnnxNode } from './onnx-graph-reading.js';
import { OPERATORS, type OperatorCall, product, type Shape } from './onnx-shapes.js';
import { ProtobufError } from './protobuf-fields.js';

/** Most operations of a model; the largest configuration has a thousand. */
const MAX_NODES = 5000;
/** Most inputs of an operation. */
const MAX_INPUTS = 16;
/** Most numbers in a value between two operations, for one position: 4 MiB. */
const MAX_NUMBERS = 2 ** 20;
/** Most multiplications for one position. */
const MAX_WORK = 2 ** 37;
/** Lengths assumed for axes that the caller chooses: a batch of one position, with 256 legal actions. */
const CHOSEN_LENGTHS = [1, 256] as const;

/** Checks a graph node by node; knows the shapes of its values and the number of multiplications so far. */
class GraphCheck {
  private readonly constants: OnnxContent['constants'];
  private readonly shapes = new Map<string, Shape>();
  private work = 0;

  constructor({ constants, inputs }: OnnxContent) {
    this.constants = constants;
    for (const [name, { shape }] of constants) this.shapes.set(name, shape);
    for (const [name, shape] of inputs) {
      if (shape.length > 8) throw new ProtobufError(`the input '${name}' with ${shape.length} axes`);
      const lengths = shape.map((length, axis) => length ?? CHOSEN_LENGTHS[axis] ?? 1);
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
    this.work += (known.work?.(call) ?? 1) * product(shape);
    if (this.work > MAX_WORK) throw new ProtobufError(`more than ${MAX_WORK} multiplications for a position`);
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
      product(shape) > Math.max(limit, MAX_NUMBERS)
    ) {
      throw new ProtobufError(`the value '${name}' of shape [${shape.join(', ')}]`);
    }
    this.shapes.set(name, shape);
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
    const check = new GraphCheck(content);
    for (const node of content.nodes) check.node(node);
    return null;
  } catch (error) {
    if (error instanceof ProtobufError) return `found ${error.message}`;
    throw error;
  }
}
