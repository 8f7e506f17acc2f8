import { fromBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng } from '../../../env/random.js';
import { findOnnxProblem } from '../../../training/inference/onnx-check.js';
import { openOnnxModel } from '../../../training/inference/onnx-session.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { createNetwork } from '../../../training/network/network.js';
import { OnnxGraph } from '../../../training/network/onnx/onnx-graph.js';
import {
  AttributeProtoSchema,
  create,
  ModelProtoSchema,
  toBinary,
} from '../../../training/network/onnx/onnx-library.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';

const config = NetworkConfig.parse({ channels: 4, blocks: 1, valueHidden: 4 });
const network = createNetwork(networkShape(connectFour, config), createRng(5));
const model = encodeOnnxModel(network, 'legal');

type Model = ReturnType<typeof decoded>;

function decoded() {
  return fromBinary(ModelProtoSchema, model);
}

/** The model after a change. */
function changed(change: (graph: NonNullable<Model['graph']>, model: Model) => void): Uint8Array {
  const content = decoded();
  change(content.graph!, content);
  return toBinary(ModelProtoSchema, content);
}

/** The model with additional nodes, whose values no other node reads. */
function extended(add: (graph: OnnxGraph) => void): Uint8Array {
  const more = new OnnxGraph();
  add(more);
  return changed((graph) => {
    graph.node.push(...more.nodes);
    graph.initializer.push(...more.constants);
  });
}

const numbers = (length: number): Float32Array => new Float32Array(length);
const axes = (...values: readonly bigint[]): BigInt64Array => BigInt64Array.from(values);

/** The model whose output `name` is computed from its former value, `raw`, by additional nodes. */
function withOutput(name: string, add: (graph: OnnxGraph) => void): Uint8Array {
  const more = new OnnxGraph();
  add(more);
  return changed((graph) => {
    for (const node of graph.node)
      node.output = node.output.map((output) => (output === name ? 'raw' : output));
    graph.node.push(...more.nodes);
    graph.initializer.push(...more.constants);
  });
}

/** The model with the first occurrence of some bytes replaced by as many others. */
function spliced(bytes: Uint8Array, found: Uint8Array, other: Uint8Array): Uint8Array {
  const result = Buffer.from(bytes);
  const at = result.lastIndexOf(found);
  expect([at >= 0, found.length]).toEqual([true, other.length]);
  result.set(other, at);
  return result;
}

/** A node whose name is the name of an operator, with the tag of its name turned into that of an operator. */
function withTwoOperators(): Uint8Array {
  const bytes = extended((graph) => {
    graph.constant('shape', axes(2n, 2n), [2]);
    graph.node('ConstantOfShape', ['shape'], 'square');
    graph.nodes.at(-1)!.name = 'Relu';
  });
  return spliced(bytes, Buffer.from('\x1a\x04Relu'), Buffer.from('\x22\x04Relu'));
}

describe('a model is refused before ONNX Runtime sees it:', () => {
  test.each<[string, string, () => Uint8Array]>([
    [
      'an operator that allocates any amount of memory',
      'ConstantOfShape',
      () =>
        extended((graph) => {
          const shape = graph.constant('shape', BigInt64Array.of(200_000n, 200_000n), [2]);
          graph.node('ConstantOfShape', [shape], 'large');
        }),
    ],
    [
      'a product of 4e10 numbers',
      'large',
      () =>
        extended((graph) => {
          graph.constant('column', numbers(200_000), [200_000, 1]);
          graph.constant('row', numbers(200_000), [1, 200_000]);
          graph.node('MatMul', ['column', 'row'], 'large');
        }),
    ],
    [
      'a sum of 4e10 numbers',
      'large',
      () =>
        extended((graph) => {
          graph.constant('column', numbers(200_000), [200_000, 1]);
          graph.constant('row', numbers(200_000), [1, 200_000]);
          graph.node('Add', ['column', 'row'], 'large');
        }),
    ],
    [
      'a value that doubles again and again',
      'value',
      () =>
        extended((graph) => {
          let value = graph.constant('value', numbers(1024), [1, 1024]);
          for (let i = 0; i < 40; i++) value = graph.node('Concat', [value, value], `value${i}`, { axis: 1 });
        }),
    ],
    [
      'a division by zero, which would end the process',
      'Div',
      () =>
        extended((graph) => {
          graph.constant('zero', Int32Array.of(0), [1]);
          graph.node('Div', ['legal', 'zero'], 'quotient');
        }),
    ],
    [
      'an operator given twice, of which ONNX Runtime takes the last',
      'field 4 of a node twice',
      withTwoOperators,
    ],
    [
      'a zero whose name differs from that of another divisor by a byte order mark',
      'do not fit Div',
      () => {
        const bytes = extended((graph) => {
          graph.constant('xxxdivisor', Int32Array.of(0), [1]);
          graph.constant('divisor', Int32Array.of(1), [1]);
          graph.node('Div', ['legal', 'xxxdivisor'], 'quotient');
        });
        const marked = Buffer.from('\ufeffdivisor');
        const once = spliced(bytes, Buffer.from('xxxdivisor'), marked);
        return spliced(once, Buffer.from('xxxdivisor'), marked);
      },
    ],
    [
      'a name that is not UTF-8',
      'not UTF-8',
      () => {
        const bytes = extended((graph) => graph.constant('unused', numbers(1), [1]));
        return spliced(bytes, Buffer.from('unused'), Buffer.from('unuse\xff', 'latin1'));
      },
    ],
    [
      'two constants of one name',
      'a constant twice',
      () =>
        changed((graph) => {
          graph.initializer.push(graph.initializer[0]!);
        }),
    ],
    [
      'an attribute whose number is not where its type says',
      "the attribute 'axis'",
      () =>
        changed((graph) => {
          const node = graph.node.find(({ opType }) => opType === 'Concat')!;
          Object.assign(node.attribute[0]!, { i: 0n, ints: [1n] });
        }),
    ],
    [
      'a sum that keeps its axis',
      'ReduceSum',
      () =>
        extended((graph) => {
          graph.constant('last', axes(1n), [1]);
          graph.node('ReduceSum', ['outcome', 'last'], 'total');
        }),
    ],
    [
      'a value that grows with the square of the batch',
      'sums',
      () =>
        extended((graph) => {
          graph.constant('row', numbers(3 * 4096), [3, 4096]);
          graph.node('MatMul', ['outcome', 'row'], 'wide');
          const pair = [0n, 1n].map((axis) =>
            graph.node('Unsqueeze', ['wide', graph.constant(`axis${axis}`, axes(axis), [1])], `side${axis}`),
          );
          graph.node('Add', pair, 'sums');
        }),
    ],
    [
      'hundreds of values of 4 MiB',
      'numbers in the values',
      () =>
        extended((graph) => {
          graph.constant('row', numbers(3 * 2 ** 20), [3, 2 ** 20]);
          let value = graph.node('MatMul', ['outcome', 'row'], 'wide');
          for (let i = 0; i < 200; i++) value = graph.node('Relu', [value], `value${i}`);
        }),
    ],
    [
      'an output with two rows for each position',
      "'outcome' of shape .2, 3. for 1 positions",
      () => withOutput('outcome', (graph) => graph.node('Concat', ['raw', 'raw'], 'outcome', { axis: 0 })),
    ],
    [
      'logits of more actions than the legal ones',
      "'legalLogits' of shape .1, 512.",
      () =>
        withOutput('legalLogits', (graph) =>
          graph.node('Concat', ['raw', 'raw'], 'legalLogits', { axis: 1 }),
        ),
    ],
    [
      'logits of as many actions as a constant has',
      "'legalLogits' of shape .1024, 256. for 1024 positions",
      () =>
        withOutput('legalLogits', (graph) => {
          graph.constant('actions', numbers(256), [1, 256]);
          graph.constant('last', axes(1n), [1]);
          const sum = graph.node('ReduceSum', ['raw', 'last'], 'sum', { keepdims: 0 });
          graph.node('Add', [graph.node('Unsqueeze', [sum, 'last'], 'column'), 'actions'], 'legalLogits');
        }),
    ],
    [
      'excessive padding',
      'Conv',
      () =>
        changed((graph) => {
          const pads = graph.node
            .find(({ opType }) => opType === 'Conv')!
            .attribute.find(({ name }) => name === 'pads')!;
          pads.ints = [30_000n, 30_000n, 30_000n, 30_000n];
        }),
    ],
    [
      'a sub-graph',
      'an attribute',
      () =>
        changed((graph) => {
          graph.node[0]!.attribute.push(create(AttributeProtoSchema, { name: 'body', g: {} }));
        }),
    ],
    [
      'constants in another file',
      'a constant',
      () =>
        changed((graph) => {
          graph.initializer[0]!.externalData = [
            { $typeName: 'onnx.StringStringEntryProto', key: 'location', value: '/etc/passwd' },
          ];
        }),
    ],
    [
      'a constant of another size',
      'bytes',
      () =>
        changed((graph) => {
          graph.initializer[0]!.dims = [2n ** 30n];
        }),
    ],
    [
      'an unknown attribute',
      'strides',
      () =>
        changed((graph) => {
          const node = graph.node.find(({ opType }) => opType === 'Conv')!;
          node.attribute.push(create(AttributeProtoSchema, { name: 'strides', ints: [1n, 1n] }));
        }),
    ],
    [
      'operators of another domain',
      'com.example',
      () =>
        changed((_, content) => {
          content.opsetImport[0]!.domain = 'com.example';
        }),
    ],
    [
      'a value that no node computes',
      'nothing',
      () =>
        changed((graph) => {
          graph.node[0]!.input[0] = 'nothing';
        }),
    ],
    [
      'no graph',
      'no graph',
      () =>
        changed((_, content) => {
          delete content.graph;
        }),
    ],
    ['bytes that are not a message', 'found', () => Buffer.from('hello')],
    [
      'millions of empty nodes',
      'fields',
      () => {
        const nodes = Buffer.alloc(200_000).map((_, index) => (index % 2 === 0 ? 0x0a : 0));
        return Buffer.concat([Buffer.of(0x3a, 0xc0, 0x9a, 0x0c), nodes]);
      },
    ],
  ])('%s', async (_name, problem, make) => {
    const error = {
      code: 'model-unreadable',
      message: expect.stringMatching(`a model: .*${problem}`) as string,
    };
    await expect(openOnnxModel(make(), 'a model')).rejects.toMatchObject(error);
  });
});

test('a flipped byte is refused with a code, or the model still runs', { timeout: 60_000 }, async () => {
  const rng = createRng(3, 'flips');
  const size = connectFour.observationShape.reduce((product, length) => product * length, 1);
  const inputs = {
    observation: { data: new Float32Array(size), shape: [1, ...connectFour.observationShape] },
    legal: { data: Int32Array.of(0, 1), shape: [1, 2] },
  };
  const tally = { run: 0, refused: 0 };
  for (let i = 0; i < 150; i++) {
    const bytes = Uint8Array.from(model);
    bytes[rng.integer(bytes.length)]! ^= 1 << rng.integer(8);
    try {
      const session = await openOnnxModel(bytes);
      await session.run(inputs).finally(() => session.dispose());
      tally.run += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'model-unreadable' });
      tally.refused += 1;
    }
  }
  expect(Math.min(tally.run, tally.refused)).toBeGreaterThan(0);
});

test('models of every form are accepted', () => {
  for (const form of ['policy', 'legal'] as const)
    expect(findOnnxProblem(encodeOnnxModel(network, form))).toBeNull();
});
