import type { Layer } from '../../network/layer-builder.js';
import type { Network } from '../../network/network.js';
import type { UnitGroup } from './unit-probe.js';

/** Some units of one ReLU, and the layers with their weights. */
export interface UnitWeights extends Pick<UnitGroup, 'layer' | 'shift' | 'readers'> {
  /** Places of the units in the group, ascending. */
  readonly places: readonly number[];
}

type Visit = (values: Float32Array, index: number, parameter: string) => void;

/** Calls `visit` with each weight of a kernel's column, and with its bias. */
function visitColumn({ parameters }: Network, { name, kernel }: Layer, place: number, visit: Visit): void {
  const values = parameters.get(`${name}/kernel`)!;
  for (let i = place; i < values.length; i += kernel.at(-1)!) visit(values, i, `${name}/kernel`);
  visit(parameters.get(`${name}/bias`)!, place, `${name}/bias`);
}

/** Calls `visit` with the weights that produce the units: their own, and those that shift them. */
export function visitOwnWeights(network: Network, { layer, shift, places }: UnitWeights, visit: Visit): void {
  for (const place of places) {
    visitColumn(network, layer, place, visit);
    if (shift !== null) visitColumn(network, shift, place, visit);
  }
}

/** Calls `visit` with the weights that read the units. */
export function visitReaders(network: Network, { layer, readers, places }: UnitWeights, visit: Visit): void {
  const units = layer.kernel.at(-1)!;
  const isRead = Array.from({ length: units }, () => false);
  for (const place of places) isRead[place] = true;
  for (const { name, kernel } of readers) {
    const values = network.parameters.get(`${name}/kernel`)!;
    const columns = kernel.at(-1)!;
    for (let i = 0; i < values.length; i++) {
      if (isRead[Math.floor(i / columns) % units]) visit(values, i, `${name}/kernel`);
    }
  }
}

/** Calls `visit` with all weights of the units: those that produce them, and those that read them. */
export function visitWeights(network: Network, units: UnitWeights, visit: Visit): void {
  visitOwnWeights(network, units, visit);
  visitReaders(network, units, visit);
}
