import { parameterSpecs, type Network } from './network.js';

/** Kernel and bias of one layer, as TensorFlow lays them out (network.ts). */
export interface LayerWeights {
  readonly kernel: Float32Array;
  readonly kernelShape: readonly number[];
  readonly bias: Float32Array;
}

/** The weights of a layer by its name. */
export type WeightsOf = (layer: string) => LayerWeights;

/** The weights of the layers of a network. */
export function weightsOf({ shape, parameters }: Network): WeightsOf {
  const shapes = new Map(parameterSpecs(shape).map((spec) => [spec.name, spec.shape]));
  return (layer) => ({
    kernel: parameters.get(`${layer}/kernel`)!,
    kernelShape: shapes.get(`${layer}/kernel`)!,
    bias: parameters.get(`${layer}/bias`)!,
  });
}
