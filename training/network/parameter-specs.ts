import { sizeOfShape } from '../../env/spaces/shape.js';
import { policySize } from './base-shape.js';
import { headOutputs } from './heads/head-outputs.js';
import type { Layer, LayerBuilder } from './layer-builder.js';
import type { NetworkShape } from './network-shape.js';
import { trunk } from './trunk.js';

/** One trained array. */
export interface ParameterSpec {
  /** `LAYER/kernel` or `LAYER/bias`. */
  readonly name: string;
  /** Kernels of convolutions `[height, width, in, out]`, of dense layers `[in, out]`; biases `[out]`. */
  readonly shape: readonly number[];
  /** Standard deviation of its initial normal distribution; 0: it starts at zero. */
  readonly deviation: number;
}

/** Records the layers of a network; values are names of layers. */
class LayerRecorder implements LayerBuilder<string> {
  readonly layers: Layer[] = [];
  /** Number of multiplications of the layers so far, for one position. */
  multiplications = 0;
  private readonly shape: NetworkShape;

  constructor(shape: NetworkShape) {
    this.shape = shape;
  }

  private record(layer: Layer): string {
    const [squares] = policySize(this.shape);
    this.layers.push(layer);
    this.multiplications += sizeOfShape(layer.kernel) * (layer.kernel.length === 4 ? squares : 1);
    return layer.name;
  }

  observation(name: string): string {
    return name;
  }

  inputConvolution(layer: Layer): string {
    return this.record(layer);
  }

  convolution(layer: Layer): string {
    return this.record(layer);
  }

  pooledShift(layer: Layer): string {
    return this.record(layer);
  }

  shiftRelu(name: string): string {
    return name;
  }

  addRelu(name: string): string {
    return name;
  }

  pooledDense(layer: Layer): string {
    return this.record(layer);
  }

  dense(layer: Layer): string {
    return this.record(layer);
  }

  flatDense(layer: Layer): string {
    return this.record(layer);
  }

  squareOutput(layer: Layer): string {
    return this.record(layer);
  }

  squareLogits(name: string, layer: Layer): string {
    this.record(layer);
    return name;
  }

  moveLogits(name: string): string {
    const [squares] = policySize(this.shape);
    this.multiplications += squares ** 2 * this.shape.config.policyAttention;
    return name;
  }

  add(name: string): string {
    return name;
  }
}

function recordLayers(shape: NetworkShape): LayerRecorder {
  const recorder = new LayerRecorder(shape);
  headOutputs(recorder, shape, trunk(recorder, shape));
  return recorder;
}

/** All parameters of a network, in the order of evaluation. */
export function parameterSpecs(shape: NetworkShape): readonly ParameterSpec[] {
  return recordLayers(shape).layers.flatMap(({ name, kernel, deviation }) => [
    { name: `${name}/kernel`, shape: kernel, deviation },
    { name: `${name}/bias`, shape: [kernel.at(-1)!], deviation: 0 },
  ]);
}

/** Most parameters of a network: its files stay within the sizes that are read (data/files/size-limits.ts). */
export const MAX_PARAMETERS = 120_000_000;

/** The number of parameters of a network of this shape. */
export function parameterCount(shape: NetworkShape): number {
  return parameterSpecs(shape).reduce((total, spec) => total + sizeOfShape(spec.shape), 0);
}

/**
 * Multiplications by weights for one position, all heads included, with the logits of all actions. In training, the
 * policy is computed for legal moves only.
 */
export function multiplyAccumulates(shape: NetworkShape): number {
  return recordLayers(shape).multiplications;
}

/** Text for people: `88,883 parameters, 33.2 million multiply-accumulates a position`. */
export function describeSize(shape: NetworkShape): string {
  const millions = (multiplyAccumulates(shape) / 1e6).toFixed(1);
  return `${parameterCount(shape).toLocaleString('en-US')} parameters, ${millions} million multiply-accumulates a position`;
}
