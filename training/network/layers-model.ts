import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { io, LayersModel, SymbolicTensor, Tensor } from '@tensorflow/tfjs';
import {
  auxiliaryHeads,
  DENSE_POLICY_PLANES,
  HEAD_PLANES,
  isNumberHead,
  isPooled,
  parameterSpecs,
  type PolicyName,
  type Network,
  type NetworkShape,
} from './network.js';
import type { Logits } from './tensor-network.js';
import type { Tensorflow } from '../tensorflow.js';

/** Files of a model as TensorFlow.js keeps it: what `tf.loadLayersModel` reads. */
export interface LayersModelFiles {
  readonly modelJson: string;
  /** Float32, little-endian, in the order of the weights manifest. */
  readonly weights: Uint8Array;
}

/** Name of the weights' file in `model.json`. */
export const WEIGHTS_FILE = 'weights.bin';

function trunk(tf: Tensorflow, input: SymbolicTensor, config: NetworkShape['config']): SymbolicTensor {
  const { channels, blocks } = config;
  const convolution = (
    name: string,
    activation: 'relu' | 'linear',
    filters = channels,
  ): ReturnType<typeof tf.layers.conv2d> =>
    tf.layers.conv2d({
      name,
      filters,
      kernelSize: 3,
      padding: 'same',
      activation,
      kernelInitializer: 'zeros',
    });
  let features = convolution('stem', 'relu').apply(input) as SymbolicTensor;
  for (let block = 1; block <= blocks; block++) {
    const pooled = isPooled(block, config);
    let inner = convolution(`block${block}_first`, pooled ? 'linear' : 'relu').apply(
      features,
    ) as SymbolicTensor;
    if (pooled) {
      const name = `block${block}_pool`;
      const planes = convolution(name, 'relu', config.globalPoolChannels).apply(features) as SymbolicTensor;
      const shift = poolShift(tf, `block${block}_shift`, globalPools(tf, planes, `${name}_`), channels);
      const sum = tf.layers.add({ name: `block${block}_shifted` }).apply([inner, shift]);
      inner = tf.layers.reLU({ name: `block${block}_inner` }).apply(sum) as SymbolicTensor;
    }
    const branch = convolution(`block${block}_second`, 'linear').apply(inner) as SymbolicTensor;
    const sum = tf.layers.add({ name: `block${block}_sum` }).apply([features, branch]);
    features = tf.layers.reLU({ name: `block${block}` }).apply(sum) as SymbolicTensor;
  }
  return features;
}

/** `[B, 2 * planes]`; `prefix` of the layers' names. */
function globalPools(tf: Tensorflow, features: SymbolicTensor, prefix: string): SymbolicTensor {
  const pools = [
    tf.layers.globalAveragePooling2d({ name: `${prefix}average` }).apply(features) as SymbolicTensor,
    tf.layers.globalMaxPooling2d({ name: `${prefix}maximum` }).apply(features) as SymbolicTensor,
  ];
  return tf.layers.concatenate({ name: `${prefix}pooled` }).apply(pools) as SymbolicTensor;
}

/** `[B, 1, 1, channels]` */
function poolShift(tf: Tensorflow, name: string, pooled: SymbolicTensor, channels: number): SymbolicTensor {
  const shift = tf.layers.dense({ name, units: channels, kernelInitializer: 'zeros' }).apply(pooled);
  return tf.layers
    .reshape({ name: `${name}_everywhere`, targetShape: [1, 1, channels] })
    .apply(shift) as SymbolicTensor;
}

function policyHead(
  tf: Tensorflow,
  features: SymbolicTensor,
  shape: NetworkShape,
  name: PolicyName,
): SymbolicTensor {
  const [rows, columns] = shape.observation;
  const dense = shape.policyHead === 'dense';
  const planes = tf.layers
    .conv2d({
      name: dense ? `${name}_planes` : name,
      filters: dense ? DENSE_POLICY_PLANES : shape.numActions / (rows * columns),
      kernelSize: 1,
      activation: dense ? 'relu' : 'linear',
      kernelInitializer: 'zeros',
    })
    .apply(features) as SymbolicTensor;
  const flat = tf.layers.flatten({ name: `${name}_logits` }).apply(planes) as SymbolicTensor;
  if (!dense) return flat;
  const layer = tf.layers.dense({ name, units: shape.numActions, kernelInitializer: 'zeros' });
  return layer.apply(flat) as SymbolicTensor;
}

/** The heads but the policy's, in order. */
function otherHeads(tf: Tensorflow, features: SymbolicTensor, shape: NetworkShape): SymbolicTensor[] {
  const { config } = shape;
  const hidden = tf.layers
    .dense({ name: 'hidden', units: config.valueHidden, activation: 'relu', kernelInitializer: 'zeros' })
    .apply(globalPools(tf, features, '')) as SymbolicTensor;
  const dense = (name: string, units: number): SymbolicTensor =>
    tf.layers.dense({ name, units, kernelInitializer: 'zeros' }).apply(hidden) as SymbolicTensor;
  const planes = (name: string, filters: number): SymbolicTensor =>
    tf.layers
      .conv2d({ name, filters, kernelSize: 1, kernelInitializer: 'zeros' })
      .apply(features) as SymbolicTensor;
  return [
    dense('outcome', 3),
    ...auxiliaryHeads(config).map((head) => {
      if (head === 'reply') return policyHead(tf, features, shape, head);
      return isNumberHead(head) ? dense(head, 1) : planes(head, HEAD_PLANES[head]);
    }),
  ];
}

/**
 * The network as a model of standard layers: `observation` `[B, R, C, P]` -> policy logits `[B, A]`,
 * outcome logits `[B, 3]`, and what other heads it has (network.ts), in this order. The caller disposes of it.
 */
export function createLayersModel(tf: Tensorflow, network: Network): LayersModel {
  const { shape } = network;
  const input = tf.input({ name: 'observation', shape: [...shape.observation] });
  const features = trunk(tf, input, shape.config);
  const outputs = [policyHead(tf, features, shape, 'policy'), ...otherHeads(tf, features, shape)];
  const model = tf.model({ name: 'network', inputs: input, outputs });
  tf.tidy(() => {
    for (const { name, shape: size } of parameterSpecs(shape)) {
      const [layer, part] = name.split('/') as [string, 'kernel' | 'bias'];
      const variable = model.getLayer(layer).weights[part === 'kernel' ? 0 : 1]!;
      variable.write(tf.tensor(network.parameters.get(name)!, [...size], 'float32'));
    }
  });
  return model;
}

function joined(data: ArrayBuffer | readonly ArrayBuffer[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat((data instanceof ArrayBuffer ? [data] : data).map((part) => new Uint8Array(part))),
  );
}

/**
 * The files of `createLayersModel`, written by TensorFlow.js. Equal networks give equal bytes; no tensor is
 * left.
 *
 * @param metadata kept in `model.json` as user-defined metadata.
 */
export async function encodeLayersModel(
  tf: Tensorflow,
  network: Network,
  metadata: Readonly<Record<string, string>> = {},
): Promise<LayersModelFiles> {
  const model = createLayersModel(tf, network);
  try {
    let files: LayersModelFiles | undefined;
    const handler = tf.io.withSaveHandler((artifacts) => {
      const { modelTopology, format, generatedBy, convertedBy, weightSpecs, weightData } = artifacts;
      const weightsManifest = [{ paths: [WEIGHTS_FILE], weights: weightSpecs }];
      const json = {
        modelTopology,
        format,
        generatedBy,
        convertedBy,
        weightsManifest,
        userDefinedMetadata: metadata,
      };
      files = { modelJson: `${JSON.stringify(json)}\n`, weights: joined(weightData!) };
      return Promise.resolve({ modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: 'JSON' } });
    });
    await model.save(handler);
    return files!;
  } finally {
    model.dispose();
  }
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
export async function predictLayersModel(
  tf: Tensorflow,
  path: string,
  { observation, config }: NetworkShape,
  observations: Float32Array,
): Promise<Logits> {
  const model = await tf.loadLayersModel(tf.io.fromMemory(await readArtifacts(tf, path)));
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
