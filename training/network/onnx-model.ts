import { create, toBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema, type ValueInfoProto } from 'onnx-buf';
import {
  auxiliaryHeads,
  headShape,
  isNumberHead,
  isPooled,
  type AuxiliaryHead,
  type Network,
  type NetworkShape,
} from './network.js';
import type { Calibration } from './calibration.js';
import { weightsOf, type WeightsOf } from './layer-weights.js';
import { OnnxGraph, onnxValue } from './onnx-graph.js';
import { addAllLogits, addLegalLogits, type HeadInput } from './onnx-policy.js';
import { QuantizedTrunk, type TrunkArithmetic } from './onnx-quantization.js';

/**
 * What the graph answers. `B` is the batch (any size), `R`, `C`, `P` the observation's shape, `A` the
 * number of actions, `K` any number of indices a position.
 *
 * - `policy`: `observation` float32 `[B, R, C, P]` -> `policy` `[B, A]`, `outcome` `[B, 3]`, and what other heads
 *   the network has (network.ts), by their names
 * - `legal`: `observation`, `legal` int32 `[B, K]` -> `legalLogits` `[B, K]`, `outcome` `[B, 3]`
 *
 * All outputs are logits; `outcome` is win, draw, loss of the player to move. `legal` holds policy
 * indices in `[0, A)`; where a position has fewer than `K`, any index does and its logit means nothing.
 */
export type OnnxForm = 'policy' | 'legal';

/** Operator set 17 (2022): every runtime in use reads it, and nothing newer is needed. */
const OPERATOR_SET = 17n;
const IR_VERSION = 8n;

function float32Trunk(graph: OnnxGraph, weights: WeightsOf): TrunkArithmetic {
  return {
    convolution: (layer, input) => graph.convolution(layer, input, weights(layer)),
    stored: (value) => value,
  };
}

/** Where a trunk is written, of whose weights, and how it computes. */
interface TrunkParts {
  readonly graph: OnnxGraph;
  readonly weights: WeightsOf;
  readonly arithmetic: TrunkArithmetic;
}

/** Returns the name of the trunk's features, `[B, channels, R, C]`, as float32. */
function addTrunk(parts: TrunkParts, config: NetworkShape['config']): string {
  const { graph, arithmetic } = parts;
  const planes = graph.node('Transpose', ['observation'], 'planes', { perm: [0, 3, 1, 2] });
  let features = graph.relu(arithmetic.convolution('stem', arithmetic.stored(planes)), 'stem');
  for (let block = 1; block <= config.blocks; block++) {
    features = arithmetic.stored(features);
    const [first, second] = [`block${block}_first`, `block${block}_second`];
    let sum = arithmetic.convolution(first, features);
    if (isPooled(block, config)) {
      const shift = arithmetic.stored(addPoolShift(parts, block, features));
      sum = graph.node('Add', [arithmetic.stored(sum), shift], `${first}/shifted`);
    }
    const inner = arithmetic.stored(graph.relu(sum, first));
    const branch = arithmetic.stored(arithmetic.convolution(second, inner));
    features = graph.relu(graph.node('Add', [features, branch], `${second}/residual`), second);
  }
  return features;
}

/** Mean and greatest value of each plane, `[B, 2 * planes, 1, 1]`; `prefix` of the nodes' names. */
function addGlobalPools(graph: OnnxGraph, features: string, prefix: string): string {
  const pools = [
    graph.node('GlobalAveragePool', [features], `${prefix}average`),
    graph.node('GlobalMaxPool', [features], `${prefix}maximum`),
  ];
  return graph.node('Concat', pools, `${prefix}pooled`, { axis: 1 });
}

/** What a pooled block adds everywhere, `[B, channels, 1, 1]`: a dense layer, written as a convolution of one square. */
function addPoolShift({ graph, weights, arithmetic }: TrunkParts, block: number, features: string): string {
  const [pool, shift] = [`block${block}_pool`, `block${block}_shift`];
  const planes = graph.relu(arithmetic.convolution(pool, features), pool);
  const { kernel, kernelShape, bias } = weights(shift);
  const pooled = addGlobalPools(graph, arithmetic.stored(planes), `${pool}/`);
  return graph.convolution(shift, pooled, { kernel, kernelShape: [1, 1, ...kernelShape], bias });
}

/** The outcome and, where `heads` has them, what else the network tells. */
function addOtherHeads(input: HeadInput, heads: readonly AuxiliaryHead[]): void {
  const { graph, features, weights } = input;
  const flat = graph.node('Flatten', [addGlobalPools(graph, features, '')], 'pooled/flat');
  const hidden = graph.relu(graph.dense('hidden', flat, weights('hidden'), 'hidden/sum'), 'hidden');
  graph.dense('outcome', hidden, weights('outcome'), 'outcome');
  for (const head of heads) {
    if (head === 'reply') addAllLogits(input, head, head);
    else if (isNumberHead(head)) graph.dense(head, hidden, weights(head), head);
    else {
      const planes = graph.convolution(head, features, weights(head));
      graph.node('Transpose', [planes], head, { perm: [0, 2, 3, 1] });
    }
  }
}

function headValue(head: AuxiliaryHead, shape: NetworkShape): ValueInfoProto {
  return onnxValue(head, 'float32', ['batch', ...headShape(head, shape)]);
}

function signature(
  shape: NetworkShape,
  form: OnnxForm,
): { input: ValueInfoProto[]; output: ValueInfoProto[] } {
  const observation = onnxValue('observation', 'float32', ['batch', ...shape.observation]);
  const outcome = onnxValue('outcome', 'float32', ['batch', 3]);
  if (form === 'policy') {
    return {
      input: [observation],
      output: [
        onnxValue('policy', 'float32', ['batch', shape.numActions]),
        outcome,
        ...auxiliaryHeads(shape.config).map((head) => headValue(head, shape)),
      ],
    };
  }
  return {
    input: [observation, onnxValue('legal', 'int32', ['batch', 'legalActions'])],
    output: [onnxValue('legalLogits', 'float32', ['batch', 'legalActions']), outcome],
  };
}

/**
 * The network as the bytes of an ONNX model. Equal networks, metadata and calibrations give equal bytes.
 *
 * @param metadata texts by name that any ONNX reader shows; kept in the order given.
 * @param calibration of this network: the trunk then computes in int8, the heads in float32. Left out: all in float32.
 */
export function encodeOnnxModel(
  network: Network,
  form: OnnxForm,
  metadata: Readonly<Record<string, string>> = {},
  calibration?: Calibration,
): Uint8Array {
  const graph = new OnnxGraph();
  const { shape } = network;
  const weights = weightsOf(network);
  const arithmetic =
    calibration === undefined
      ? float32Trunk(graph, weights)
      : new QuantizedTrunk(graph, weights, calibration);
  const features = addTrunk({ graph, weights, arithmetic }, shape.config);
  const input = { graph, features, shape, weights };
  if (form === 'policy') addAllLogits(input, 'policy', 'policy');
  else addLegalLogits(input);
  addOtherHeads(input, form === 'policy' ? auxiliaryHeads(shape.config) : []);
  const model = create(ModelProtoSchema, {
    irVersion: IR_VERSION,
    opsetImport: [{ domain: '', version: OPERATOR_SET }],
    producerName: 'gess-zero',
    graph: {
      name: 'network',
      node: graph.nodes,
      initializer: graph.constants,
      ...signature(shape, form),
    },
    metadataProps: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  });
  return toBinary(ModelProtoSchema, model);
}
