import type { Tensor } from '@tensorflow/tfjs-node';
import type { Layer } from '../../network/layer-builder.js';
import { TensorLayers } from '../../network/tensor-layers.js';

/** The mean input of a layer. */
export interface MeanInput {
  readonly layer: Layer;
  /** `[in]` */
  readonly mean: Tensor;
}

/** Applies the layers as `TensorLayers` does and notes the mean input of each. */
export class MeanInputLayers extends TensorLayers {
  readonly meanInputs: MeanInput[] = [];

  override inputConvolution(layer: Layer, planes: Tensor): Tensor {
    this.note(layer, planes);
    return super.inputConvolution(layer, planes);
  }

  override convolution(layer: Layer, planes: Tensor): Tensor {
    this.note(layer, planes);
    return super.convolution(layer, planes);
  }

  override dense(layer: Layer, vector: Tensor): Tensor {
    this.note(layer, vector);
    return super.dense(layer, vector);
  }

  private note(layer: Layer, input: Tensor): void {
    const axes = input.shape.map((_, axis) => axis).slice(0, -1);
    this.meanInputs.push({ layer, mean: input.mean(axes) });
  }
}
