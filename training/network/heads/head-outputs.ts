import type { BaseConfig, BaseShape } from '../base-shape.js';
import type { LayerBuilder } from '../layer-builder.js';
import { headInputs } from './head.js';
import { headsOf, type HeadChoice, type HeadName } from './head-table.js';

/** Adds the layers of all heads; returns their outputs by name, in the order of the heads. */
export function headOutputs<Value>(
  builder: LayerBuilder<Value>,
  shape: BaseShape & { readonly config: BaseConfig & HeadChoice },
  features: Value,
): ReadonlyMap<HeadName, Value> {
  const inputs = headInputs(builder, shape, features);
  return new Map(headsOf(shape.config).map((head) => [head.name, head.output(builder, shape, inputs)]));
}
