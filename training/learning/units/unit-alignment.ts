import { type Network, networkOf } from '../../network/network.js';
import type { Tensorflow } from '../../tensorflow/tensorflow.js';
import { deadPlaces, visitUnitsOnce } from './dead-units.js';
import { type UnitWeights, visitOwnWeights, visitReaders } from './unit-weights.js';

/** Copies the weights that produce the units from another network; those that read them become 0. */
function copyUnits(target: Network, source: Network, units: UnitWeights): void {
  visitOwnWeights(target, units, (values, index, parameter) => {
    values[index] = source.parameters.get(parameter)![index]!;
  });
  visitReaders(target, units, (values, index) => (values[index] = 0));
}

/** Networks whose units have the same meaning. */
export interface AlignedNetworks {
  readonly networks: readonly Network[];
  /** Number of dead units that got the weights of another network, over all networks. */
  readonly units: number;
}

/**
 * Prepares networks of one training for the mean of their weights. A unit that is dead in one network (`deadPlaces`)
 * and lives in another, because learning gave it new weights, has nothing in common in both, and the mean would read it
 * with half of the weights that the dead one left behind. So a dead unit gets the weights of the first network in which
 * it lives, and nothing reads it: for these positions, each network computes what it did.
 *
 * @param networks of the same shape; not changed.
 * @param observations `[count, R, C, P]`, positions by which units are judged.
 */
export function alignDeadUnits(
  tf: Tensorflow,
  networks: readonly Network[],
  observations: Float32Array,
): AlignedNetworks {
  const dead = networks.map((network) => deadPlaces(tf, network, null, observations));
  const aligned = networks.map(({ shape, weights }) => networkOf(shape, weights.slice()));
  let units = 0;
  visitUnitsOnce(tf, networks[0]!, observations, (layers, group) => {
    for (const [index, target] of aligned.entries()) {
      for (const place of dead[index]![group]!) {
        const living = dead.findIndex((places) => !places[group]!.includes(place));
        if (living < 0) continue;
        copyUnits(target, networks[living]!, { ...layers, places: [place] });
        units += 1;
      }
    }
  });
  return { networks: aligned, units };
}
