import { headsOf, type HeadName } from './heads/head-table.js';
import { headInputs } from './heads/head.js';
import type { LayerBuilder } from './layer-builder.js';
import type { NetworkShape } from './network-shape.js';

/** Adds the layers of all heads; returns their outputs by name, in the order of the heads. */
export function headOutputs<Value>(
  builder: LayerBuilder<Value>,
  shape: NetworkShape,
  features: Value,
): ReadonlyMap<HeadName, Value> {
  const inputs = headInputs(builder, shape, features);
  return new Map(headsOf(shape.config).map((head) => [head.name, head.output(builder, shape, inputs)]));
}
