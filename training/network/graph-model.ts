import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { io, Tensor } from '@tensorflow/tfjs';
import {
  auxiliaryHeads,
  DENSE_POLICY_PLANES,
  headShape,
  isNumberHead,
  isPooled,
  movePairs,
  parameterSpecs,
  type Network,
  type NetworkShape,
  type PolicyName,
} from './network.js';
import { graphValue, TensorflowGraph } from './tensorflow-graph.js';
import type { Logits } from './tensor-network.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';

/** Files of a model as TensorFlow.js keeps it: what `tf.loadGraphModel` reads. */
export interface GraphModelFiles {
  readonly modelJson: string;
  /**
   * Little-endian, in the order of the weights manifest: all parameters, float32, in the order of `parameterSpecs`, then what
   * the graph needs of shapes and indices, int32.
   */
  readonly weights: Uint8Array;
}

/** Name of the weights' file in `model.json`. */
export const WEIGHTS_FILE = 'weights.bin';

/** Versions of the graph's format; TensorFlow.js shows them as the model's and asks nothing of them. */
const GRAPH_VERSIONS = { producer: 1, minConsumer: 0 };

/** Returns the name of the trunk's features, `[B, R, C, channels]`. */
function addTrunk(graph: TensorflowGraph, observation: string, config: NetworkShape['config']): string {
  let features = graph.convolution('stem', observation, 'relu');
  for (let block = 1; block <= config.blocks; block++) {
    const name = `block${block}`;
    const inner = isPooled(block, config)
      ? addShiftedRelu(graph, name, features, config)
      : graph.convolution(`${name}_first`, features, 'relu');
    const branch = graph.convolution(`${name}_second`, inner, 'none');
    features = graph.relu(graph.add(features, branch, `${name}_sum`), name);
  }
  return features;
}

/** The first half of a pooled block: its convolution, plus what is pooled everywhere, then ReLU. */
function addShiftedRelu(
  graph: TensorflowGraph,
  block: string,
  features: string,
  { channels }: NetworkShape['config'],
): string {
  const sum = graph.convolution(`${block}_first`, features, 'none');
  const planes = graph.convolution(`${block}_pool`, features, 'relu');
  const shift = graph.dense(`${block}_shift`, graph.globalPools(planes, `${block}_pool_`), 'none');
  const everywhere = graph.reshape(shift, [-1, 1, 1, channels], `${block}_shift_everywhere`);
  return graph.relu(graph.add(sum, everywhere, `${block}_shifted`), `${block}_inner`);
}

/** Adds planes over the squares that moves start from. */
function addConvolutionPolicy(
  graph: TensorflowGraph,
  features: string,
  shape: NetworkShape,
  name: PolicyName,
): void {
  const planes = graph.convolution(name, features, 'none', `${name}_squares`);
  graph.reshape(planes, [-1, shape.numActions], name);
}

/** Adds what is behind a dense layer. */
function addDensePolicy(
  graph: TensorflowGraph,
  features: string,
  shape: NetworkShape,
  name: PolicyName,
): void {
  const [rows, columns] = shape.observation;
  const planes = graph.convolution(`${name}_planes`, features, 'relu');
  const flat = graph.reshape(planes, [-1, rows * columns * DENSE_POLICY_PLANES], `${name}_flat`);
  graph.dense(name, flat, 'none');
}

/** Adds products of vectors of the two squares of a move, and what is of the first square and the plane alone. */
function addAttention(graph: TensorflowGraph, features: string, shape: NetworkShape, name: PolicyName): void {
  const [rows, columns] = shape.observation;
  const squares = rows * columns;
  const vectors = (planes: string): string =>
    graph.reshape(planes, [-1, squares, shape.config.policyAttention], `${planes}_vectors`);
  const from = graph.convolution(`${name}_from`, features, 'none');
  const to = graph.convolution(`${name}_to`, features, 'none');
  const products = graph.productOfRows(vectors(from), vectors(to), `${name}_products`);
  const flat = graph.reshape(products, [-1, squares * squares], `${name}_pairs`);
  const ofPairs = graph.gatherColumns(flat, movePairs(shape), `${name}_moves`);
  const planes = graph.convolution(name, from, 'none', `${name}_squares`);
  graph.add(ofPairs, graph.reshape(planes, [-1, shape.numActions], `${name}_planes`), name);
}

/** Adds the logits of all actions, by policy index, under the head's name. */
function addPolicyHead(
  graph: TensorflowGraph,
  features: string,
  shape: NetworkShape,
  name: PolicyName,
): void {
  switch (shape.policyHead) {
    case 'convolution':
      addConvolutionPolicy(graph, features, shape, name);
      return;
    case 'attention':
      addAttention(graph, features, shape, name);
      return;
    case 'dense':
      addDensePolicy(graph, features, shape, name);
  }
}

/** Adds the heads but the policy's. */
function addOtherHeads(graph: TensorflowGraph, features: string, shape: NetworkShape): void {
  const hidden = graph.dense('hidden', graph.globalPools(features, ''), 'relu');
  graph.dense('outcome', hidden, 'none');
  for (const head of auxiliaryHeads(shape.config)) {
    if (head === 'reply') addPolicyHead(graph, features, shape, head);
    else if (isNumberHead(head)) graph.dense(head, hidden, 'none');
    else graph.convolution(head, features, 'none');
  }
}

/** The outputs' shapes by name, in order. */
function outputShapes(shape: NetworkShape): readonly (readonly [name: string, shape: readonly number[]])[] {
  const auxiliary = auxiliaryHeads(shape.config).map((head) => [head, headShape(head, shape)] as const);
  return [['policy', [shape.numActions]], ['outcome', [3]], ...auxiliary];
}

/**
 * The network as a TensorFlow.js graph model: `observation` `[B, R, C, P]` -> policy logits `[B, A]`, outcome logits `[B, 3]`,
 * and what other heads it has (network.ts), in this order and by these names. Equal networks and metadata give equal bytes.
 *
 * @param metadata kept in `model.json` as user-defined metadata.
 */
export function encodeGraphModel(
  network: Network,
  metadata: Readonly<Record<string, string>> = {},
): GraphModelFiles {
  const { shape, parameters } = network;
  const graph = new TensorflowGraph();
  const input = [-1, ...shape.observation];
  const observation = graph.placeholder('observation', input);
  for (const spec of parameterSpecs(shape)) {
    graph.constant(spec.name, parameters.get(spec.name)!, spec.shape);
  }
  const features = addTrunk(graph, observation, shape.config);
  addPolicyHead(graph, features, shape, 'policy');
  addOtherHeads(graph, features, shape);
  const json = {
    format: 'graph-model',
    generatedBy: 'gess-zero',
    convertedBy: null,
    signature: {
      inputs: { observation: graphValue(observation, input) },
      outputs: Object.fromEntries(
        outputShapes(shape).map(([name, size]) => [name, graphValue(name, [-1, ...size])]),
      ),
    },
    modelTopology: { node: graph.nodes, library: {}, versions: GRAPH_VERSIONS },
    weightsManifest: [{ paths: [WEIGHTS_FILE], weights: graph.constants }],
    userDefinedMetadata: metadata,
  };
  return { modelJson: `${JSON.stringify(json)}\n`, weights: graph.weights() };
}

/** Reads a saved model's files; TensorFlow.js has a reader of files on its native backend only. */
async function readArtifacts(tf: Tensorflow, path: string): Promise<io.ModelArtifacts> {
  const json = JSON.parse(await readFile(path, 'utf8')) as io.ModelJSON;
  return tf.io.getModelArtifactsForJSON(json, async (manifest) => {
    const paths = manifest.flatMap((group) => group.paths);
    const parts = await Promise.all(paths.map((name) => readFile(join(dirname(path), name))));
    return [manifest.flatMap(({ weights }) => weights), new Uint8Array(Buffer.concat(parts)).buffer];
  });
}

/**
 * Loads a saved model from its files and runs it on `observations` `[count, R, C, P]`. Leaves no tensor.
 *
 * @param path of `model.json`; its weights lie beside it.
 */
export async function predictGraphModel(
  tf: Tensorflow,
  path: string,
  { observation, config }: NetworkShape,
  observations: Float32Array,
): Promise<Logits> {
  const model = await tf.loadGraphModel(tf.io.fromMemory(await readArtifacts(tf, path)));
  try {
    const [policy, outcome, ...auxiliary] = tf.tidy(() => {
      const size = observation[0] * observation[1] * observation[2];
      const input = tf.tensor4d(observations, [observations.length / size, ...observation]);
      return model.predict(input) as Tensor[];
    });
    const heads = auxiliaryHeads(config);
    const logits = {
      policy: policy!.dataSync<'float32'>(),
      outcome: outcome!.dataSync<'float32'>(),
      auxiliary: new Map(heads.map((head, i) => [head, auxiliary[i]!.dataSync<'float32'>()])),
    };
    tf.dispose([policy!, outcome!, ...auxiliary]);
    return logits;
  } finally {
    model.dispose();
  }
}
