import type { Tensor } from '@tensorflow/tfjs-node';
import type { Layer } from '../../network/layer-builder.js';
import { TensorLayers } from '../../network/tensor-layers.js';

/** The units of one ReLU, for a batch of positions. */
export interface UnitGroup {
  /** The layer whose columns are the units' weights. */
  readonly layer: Layer;
  /** Input of `layer`: planes, or a vector for each position. */
  readonly input: Tensor;
  /** A layer whose output is added to that of `layer` before the ReLU; null: none. */
  readonly shift: Layer | null;
  /** The units, their number last. */
  readonly output: Tensor;
  /** Layers that read the units: once, or several times one after the other, as the mean and maximum of a pool. */
  readonly readers: Layer[];
}

/** A layer without a ReLU of its own, and its input. */
interface LinearLayer {
  readonly layer: Layer;
  readonly input: Tensor;
}

/**
 * Applies the layers as `TensorLayers` does and notes the units within branches: those of the first convolutions of
 * blocks, of pools, and of hidden layers. Sums of branches, the planes of the trunk itself, are no such units. The
 * policy's products are left out.
 */
export class UnitProbe extends TensorLayers {
  readonly groups: UnitGroup[] = [];
  private readonly linear = new Map<Tensor, LinearLayer>();

  override convolution(layer: Layer, planes: Tensor): Tensor {
    return this.note({ layer, input: planes }, super.convolution(layer, planes));
  }

  override pooledDense(layer: Layer, planes: Tensor): Tensor {
    this.read(layer, planes);
    return super.pooledDense(layer, planes);
  }

  override dense(layer: Layer, vector: Tensor): Tensor {
    return this.note({ layer, input: vector }, super.dense(layer, vector));
  }

  override flatDense(layer: Layer, planes: Tensor): Tensor {
    this.read(layer, planes);
    return super.flatDense(layer, planes);
  }

  override shiftRelu(name: string, planes: Tensor, shift: Tensor): Tensor {
    const output = super.shiftRelu(name, planes, shift);
    const { layer, input } = this.linear.get(planes)!;
    this.groups.push({ layer, input, shift: this.linear.get(shift)!.layer, output, readers: [] });
    return output;
  }

  override moveLogits(_name: string, from: Tensor): Tensor {
    return from;
  }

  override squareLogits(_name: string, layer: Layer, planes: Tensor): Tensor {
    this.read(layer, planes);
    return planes;
  }

  override add(_name: string, a: Tensor): Tensor {
    return a;
  }

  /** Notes a layer as a reader of its input, and its output. */
  private note(found: LinearLayer, output: Tensor): Tensor {
    this.read(found.layer, found.input);
    if (found.layer.activation === 'relu') this.groups.push({ ...found, shift: null, output, readers: [] });
    else this.linear.set(output, found);
    return output;
  }

  private read(layer: Layer, value: Tensor): void {
    this.groups.find(({ output }) => output === value)?.readers.push(layer);
  }
}
