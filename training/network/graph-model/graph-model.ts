import { dirname, join } from 'node:path';
import type { io, Tensor } from '@tensorflow/tfjs';
import * as z from 'zod';
import { readInput } from '../../../data/files/input-file.js';
import { type JsonForm, parseForm } from '../../../data/files/json-file.js';
import { sizeOfShape } from '../../../env/spaces/shape.js';
import { TrainingError } from '../../training-error.js';
import type { Tensorflow } from '../../tensorflow/tensorflow.js';
import { headOutputs } from '../heads/head-outputs.js';
import { headsOf } from '../heads/head-table.js';
import type { NetworkShape } from '../network-shape.js';
import type { Network } from '../network.js';
import { parameterSpecs } from '../parameter-specs.js';
import type { Logits } from '../tensor-network.js';
import { trunk } from '../trunk.js';
import { WEIGHTS_FILE } from './graph-files.js';
import { GraphLayers } from './graph-layers.js';
import { graphValue, TensorflowGraph } from './tensorflow-graph.js';

/** Files of a model in TensorFlow.js's layout, as read by `tf.loadGraphModel`. */
export interface GraphModelFiles {
  readonly modelJson: string;
  /**
   * Little-endian, in the order of the weights manifest: all parameters as float32, in the order of `parameterSpecs`,
   * then the shapes and indices that the graph reads, as int32.
   */
  readonly weights: Uint8Array;
}

/** Versions of the graph's format; TensorFlow.js shows them as the model's version and does not check them. */
const GRAPH_VERSIONS = { producer: 1, minConsumer: 0 };

/**
 * Encodes a network as a TensorFlow.js graph model: `observation` `[B, R, C, P]` -> the outputs of all heads by name,
 * in their order (heads/head-table.ts), `policy` `[B, A]` and `outcome` `[B, 3]` first. Equal networks and metadata
 * give equal bytes.
 *
 * @param metadata kept in `model.json` as user-defined metadata.
 * @param weightsFile name of the weights' file.
 * @param hasTableOfPairs whether the graph holds the pairs of squares of all moves, as in version 1.0.0, or computes
 *   them.
 */
export function encodeGraphModel(
  network: Network,
  metadata: Readonly<Record<string, string>> = {},
  weightsFile: string = WEIGHTS_FILE,
  hasTableOfPairs = false,
): GraphModelFiles {
  const { shape, parameters } = network;
  const graph = new TensorflowGraph();
  const input = [-1, ...shape.observation];
  const observation = graph.placeholder('observation', input);
  for (const spec of parameterSpecs(shape)) {
    graph.constant(spec.name, parameters.get(spec.name)!, spec.shape);
  }
  const layers = new GraphLayers(graph, shape, observation, hasTableOfPairs);
  headOutputs(layers, shape, trunk(layers, shape));
  const json = {
    format: 'graph-model',
    generatedBy: 'gess-zero',
    convertedBy: null,
    signature: {
      inputs: { observation: graphValue(observation, input) },
      outputs: Object.fromEntries(
        headsOf(shape.config).map((head) => [
          head.name,
          graphValue(head.name, [-1, ...head.outputShape(shape)]),
        ]),
      ),
    },
    modelTopology: { node: graph.nodes, library: {}, versions: GRAPH_VERSIONS },
    weightsManifest: [{ paths: [weightsFile], weights: graph.constants }],
    userDefinedMetadata: metadata,
  };
  return { modelJson: `${JSON.stringify(json)}\n`, weights: graph.weights() };
}

/** Accepts any JSON; TensorFlow.js checks the content itself. */
const GRAPH_FORM: JsonForm<io.ModelJSON> = {
  schema: z.custom<io.ModelJSON>(),
  name: 'a graph model',
  seal: null,
  error: (message, cause) => new TrainingError('export-mismatch', message, { cause }),
};

/** Reads a saved model's files; TensorFlow.js can read files only with its native backend. */
async function readArtifacts(tf: Tensorflow, path: string): Promise<io.ModelArtifacts> {
  const json = parseForm(await readInput(path, 'graphModel'), GRAPH_FORM, { path });
  return tf.io.getModelArtifactsForJSON(json, async (manifest) => {
    const paths = manifest.flatMap((group) => group.paths);
    const parts = await Promise.all(paths.map((name) => readInput(join(dirname(path), name), 'weights')));
    return [manifest.flatMap(({ weights }) => weights), new Uint8Array(Buffer.concat(parts)).buffer];
  });
}

/**
 * Loads a saved model from its files and runs it on `observations` `[count, R, C, P]`. Leaves no tensor.
 *
 * @param path of `model.json`, which has the weights beside it.
 */
export async function predictGraphModel(
  tf: Tensorflow,
  path: string,
  { observation, config }: NetworkShape,
  observations: Float32Array,
): Promise<Logits> {
  const model = await tf.loadGraphModel(tf.io.fromMemory(await readArtifacts(tf, path)));
  try {
    const outputs = tf.tidy(() => {
      const size = sizeOfShape(observation);
      const input = tf.tensor4d(observations, [observations.length / size, ...observation]);
      return model.predict(input) as Tensor[];
    });
    const heads = headsOf(config);
    const logits = new Map(heads.map(({ name }, i) => [name, outputs[i]!.dataSync<'float32'>()]));
    tf.dispose(outputs);
    return logits;
  } finally {
    model.dispose();
  }
}
