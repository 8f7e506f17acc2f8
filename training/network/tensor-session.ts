import { ANY_LENGTH, type InferenceSession } from '../../agents/evaluators/inference-session.js';
import type { Network } from './network.js';
import { TensorNetwork } from './tensor-network.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';

/** Options of a session on TensorFlow. */
export interface TensorSessionOptions {
  readonly tf: Tensorflow;
  readonly network: Network;
  /** Origin of the network, for error messages. */
  readonly source: string;
  /** Awaited after each run, which blocks the thread. */
  readonly breathe: () => Promise<void>;
}

/**
 * Opens a network in the form `policy` on TensorFlow, with the layers used for learning. Slower than ONNX Runtime, but
 * it needs no export and no second runtime. Also runs in browsers. Holds one tensor per parameter until disposed of.
 */
export function openTensorSession({ tf, network, source, breathe }: TensorSessionOptions): InferenceSession {
  const { shape, weights } = network;
  const layers = new TensorNetwork(tf, shape);
  const parameters = layers.parameterTensors(weights);
  return {
    source,
    inputs: new Map([['observation', [ANY_LENGTH, ...shape.observation]]]),
    outputs: new Map([
      ['policy', [ANY_LENGTH, shape.numActions]],
      ['outcome', [ANY_LENGTH, 3]],
    ]),
    run: async ({ observation }) => {
      const { data, shape: size } = observation!;
      const logits = layers.predictWith(parameters, data as Float32Array, size[0]!);
      await breathe();
      return logits;
    },
    dispose: () => {
      tf.dispose(parameters);
      return Promise.resolve();
    },
  };
}
