import type { Rng } from '../../env/random.js';
import { sizeOfShape } from '../../env/spaces/shape.js';
import type { NetworkShape } from './network-shape.js';
import { parameterCount, parameterSpecs } from './parameter-specs.js';

/** A network as plain data (docs/explanation/learning-methods.md, "Methods"). The view is the mover's throughout. */
export interface Network {
  readonly shape: NetworkShape;
  /** All parameters, one after the other in the order of `parameterSpecs`. */
  readonly weights: Float32Array;
  /** The parameters by name, as views of `weights`. */
  readonly parameters: ReadonlyMap<string, Float32Array>;
}

/** Fills `out` with normal numbers around 0, two from each pair of uniform ones (Box & Muller 1958). */
export function fillNormal(out: Float32Array, deviation: number, rng: Rng): void {
  for (let i = 0; i < out.length; i += 2) {
    const radius = deviation * Math.sqrt(-2 * Math.log(1 - rng.float()));
    const angle = 2 * Math.PI * rng.float();
    out[i] = radius * Math.cos(angle);
    if (i + 1 < out.length) out[i + 1] = radius * Math.sin(angle);
  }
}

/** Creates a network with `weights`, which are not copied; their length must be `parameterCount(shape)`. */
export function networkOf(shape: NetworkShape, weights: Float32Array): Network {
  const parameters = new Map<string, Float32Array>();
  let start = 0;
  for (const spec of parameterSpecs(shape)) {
    const end = start + sizeOfShape(spec.shape);
    parameters.set(spec.name, weights.subarray(start, end));
    start = end;
  }
  return { shape, weights, parameters };
}

/** Creates an untrained network. Equal streams give equal networks. */
export function createNetwork(shape: NetworkShape, rng: Rng): Network {
  const network = networkOf(shape, new Float32Array(parameterCount(shape)));
  for (const spec of parameterSpecs(shape)) {
    if (spec.deviation > 0) fillNormal(network.parameters.get(spec.name)!, spec.deviation, rng);
  }
  return network;
}
