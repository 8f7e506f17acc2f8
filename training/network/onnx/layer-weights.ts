import type { Layer } from '../layer-builder.js';
import type { Network } from '../network.js';

/** Kernel and bias of one layer, in TensorFlow's layout (layer-builder.ts). */
export interface LayerWeights {
  readonly kernel: Float32Array;
  readonly kernelShape: readonly number[];
  readonly bias: Float32Array;
}

/** The weights of a layer. */
export type WeightsOf = (layer: Layer) => LayerWeights;

/** The weights of the layers of a network. */
export function weightsOf({ parameters }: Network): WeightsOf {
  return ({ name, kernel }) => ({
    kernel: parameters.get(`${name}/kernel`)!,
    kernelShape: kernel,
    bias: parameters.get(`${name}/bias`)!,
  });
}
