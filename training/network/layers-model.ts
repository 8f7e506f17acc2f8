import type { LayersModel, SymbolicTensor, Tensor } from '@tensorflow/tfjs-node';
import { DENSE_POLICY_PLANES, parameterSpecs, type Network, type NetworkShape } from './network.js';
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

function trunk(
  tf: Tensorflow,
  input: SymbolicTensor,
  { channels, blocks }: NetworkShape['config'],
): SymbolicTensor {
  const convolution = (name: string, activation: 'relu' | 'linear'): ReturnType<typeof tf.layers.conv2d> =>
    tf.layers.conv2d({
      name,
      filters: channels,
      kernelSize: 3,
      padding: 'same',
      activation,
      kernelInitializer: 'zeros',
    });
  let features = convolution('stem', 'relu').apply(input) as SymbolicTensor;
  for (let block = 1; block <= blocks; block++) {
    const inner = convolution(`block${block}_first`, 'relu').apply(features) as SymbolicTensor;
    const branch = convolution(`block${block}_second`, 'linear').apply(inner) as SymbolicTensor;
    const sum = tf.layers.add({ name: `block${block}_sum` }).apply([features, branch]);
    features = tf.layers.reLU({ name: `block${block}` }).apply(sum) as SymbolicTensor;
  }
  return features;
}

function policyHead(tf: Tensorflow, features: SymbolicTensor, shape: NetworkShape): SymbolicTensor {
  const [rows, columns] = shape.observation;
  const dense = shape.policyHead === 'dense';
  const planes = tf.layers
    .conv2d({
      name: dense ? 'policy_planes' : 'policy',
      filters: dense ? DENSE_POLICY_PLANES : shape.numActions / (rows * columns),
      kernelSize: 1,
      activation: dense ? 'relu' : 'linear',
      kernelInitializer: 'zeros',
    })
    .apply(features) as SymbolicTensor;
  const flat = tf.layers.flatten({ name: 'policy_logits' }).apply(planes) as SymbolicTensor;
  if (!dense) return flat;
  const layer = tf.layers.dense({ name: 'policy', units: shape.numActions, kernelInitializer: 'zeros' });
  return layer.apply(flat) as SymbolicTensor;
}

function outcomeHead(tf: Tensorflow, features: SymbolicTensor, valueHidden: number): SymbolicTensor {
  const pools = [
    tf.layers.globalAveragePooling2d({ name: 'average' }).apply(features) as SymbolicTensor,
    tf.layers.globalMaxPooling2d({ name: 'maximum' }).apply(features) as SymbolicTensor,
  ];
  const pooled = tf.layers.concatenate({ name: 'pooled' }).apply(pools) as SymbolicTensor;
  const hidden = tf.layers
    .dense({ name: 'hidden', units: valueHidden, activation: 'relu', kernelInitializer: 'zeros' })
    .apply(pooled);
  return tf.layers
    .dense({ name: 'outcome', units: 3, kernelInitializer: 'zeros' })
    .apply(hidden) as SymbolicTensor;
}

/**
 * The network as a model of standard layers: `observation` `[B, R, C, P]` -> policy logits `[B, A]` and
 * outcome logits `[B, 3]`, in this order. The caller disposes of it.
 */
export function createLayersModel(tf: Tensorflow, network: Network): LayersModel {
  const { shape } = network;
  const input = tf.input({ name: 'observation', shape: [...shape.observation] });
  const features = trunk(tf, input, shape.config);
  const outputs = [policyHead(tf, features, shape), outcomeHead(tf, features, shape.config.valueHidden)];
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

/**
 * Loads a saved model from its files and runs it on `observations` `[count, R, C, P]`. Leaves no tensor.
 *
 * @param path of `model.json`; its weights lie beside it.
 */
export async function predictLayersModel(
  tf: Tensorflow,
  path: string,
  { observation }: NetworkShape,
  observations: Float32Array,
): Promise<Logits> {
  const model = await tf.loadLayersModel(tf.io.fileSystem(path));
  try {
    const [policy, outcome] = tf.tidy(() => {
      const size = observation[0] * observation[1] * observation[2];
      const input = tf.tensor4d(observations, [observations.length / size, ...observation]);
      return model.predict(input) as [Tensor, Tensor];
    });
    const logits = { policy: policy.dataSync<'float32'>(), outcome: outcome.dataSync<'float32'>() };
    tf.dispose([policy, outcome]);
    return logits;
  } finally {
    model.dispose();
  }
}
