import type { Calibration } from '../calibration.js';
import { headOutputs } from '../heads/head-outputs.js';
import { headInputs } from '../heads/head.js';
import { headsOf } from '../heads/head-table.js';
import { outcomeHead } from '../heads/outcome-head.js';
import { policyHead } from '../heads/policy-head.js';
import type { NetworkShape } from '../network-shape.js';
import { type Network, networkOf } from '../network.js';
import { legalLogits } from '../policy-layers.js';
import { trunk } from '../trunk.js';
import { Int8Arithmetic } from './int8-arithmetic.js';
import { weightsOf } from './layer-weights.js';
import { OnnxGraph, onnxValue } from './onnx-graph.js';
import { float32Arithmetic, OnnxLayers } from './onnx-layers.js';
import { LEGAL_LOGITS, OnnxLegalLayers } from './onnx-legal-layers.js';
import { create, ModelProtoSchema, toBinary, type ValueInfoProto } from './onnx-library.js';

/**
 * Inputs and outputs of the graph. `B` is the batch (any size), `R`, `C`, `P` the observation's shape, `A` the
 * number of actions, `K` any number of indices a position.
 *
 * - `policy`: `observation` float32 `[B, R, C, P]` -> the outputs of all heads by their names (heads/head-table.ts),
 *   `policy` `[B, A]` and `outcome` `[B, 3]` first
 * - `legal`: `observation`, `legal` int32 `[B, K]` -> `legalLogits` `[B, K]`, `outcome` `[B, 3]`
 *
 * All outputs are logits; `outcome` is win, draw, loss of the player to move. `legal` holds policy
 * indices in `[0, A)`; rows with fewer than `K` legal actions are padded with any index, whose logits are meaningless.
 */
export type OnnxForm = 'policy' | 'legal';

/** Operator set 17 (2022): every current runtime reads it, and no newer operator is needed. */
const OPERATOR_SET = 17n;
const IR_VERSION = 8n;
/** Input of form `legal`. */
const LEGAL = 'legal';

interface Signature {
  readonly input: ValueInfoProto[];
  readonly output: ValueInfoProto[];
}

function signature(shape: NetworkShape, form: OnnxForm): Signature {
  const observation = onnxValue('observation', 'float32', ['batch', ...shape.observation]);
  const outputs = headsOf(shape.config).map((head) =>
    onnxValue(head.name, 'float32', ['batch', ...head.outputShape(shape)]),
  );
  if (form === 'policy') return { input: [observation], output: outputs };
  return {
    input: [observation, onnxValue(LEGAL, 'int32', ['batch', 'legalActions'])],
    output: [
      onnxValue(LEGAL_LOGITS, 'float32', ['batch', 'legalActions']),
      ...outputs.filter(({ name }) => name === outcomeHead.name),
    ],
  };
}

/** A network whose outcome logits are greater by `shift`. */
function shiftOutcomes({ shape, weights }: Network, shift: readonly number[]): Network {
  const shifted = networkOf(shape, weights.slice());
  const bias = shifted.parameters.get(`${outcomeHead.name}/bias`)!;
  bias.forEach((logit, i) => (bias[i] = logit + shift[i]!));
  return shifted;
}

/**
 * Encodes a network as an ONNX model. Equal networks, metadata and calibrations give equal bytes.
 *
 * @param metadata texts by name, which any ONNX reader shows; stored in the given order.
 * @param calibration of this network, with which the trunk computes in int8 and the heads in float32. By default all
 *   layers compute in float32.
 */
export function encodeOnnxModel(
  network: Network,
  form: OnnxForm,
  metadata: Readonly<Record<string, string>> = {},
  calibration?: Calibration,
): Uint8Array {
  const graph = new OnnxGraph();
  const { shape } = network;
  const weights = weightsOf(
    calibration === undefined ? network : shiftOutcomes(network, calibration.outcomeShift),
  );
  const float32 = float32Arithmetic(graph, weights);
  const arithmetic = calibration === undefined ? float32 : new Int8Arithmetic(graph, weights, calibration);
  const features = trunk(new OnnxLayers({ graph, shape, weights, arithmetic }), shape);
  const layers = new OnnxLegalLayers({ graph, shape, weights, arithmetic: float32 });
  if (form === 'policy') headOutputs(layers, shape, features);
  else {
    legalLogits(layers, shape, { name: policyHead.name, features }, LEGAL);
    outcomeHead.output(layers, shape, headInputs(layers, shape, features));
  }
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
