import { type Network, networkOf } from '../network/network.js';
import { softwareVersion } from '../software-version.js';
import { TrainingError } from '../training-error.js';
import type { Checkpoint } from './checkpoint.js';
import { checkGame } from './checkpoint-fit.js';
import { readCheckpoint } from './checkpoint-folder.js';

/** @throws TrainingError `checkpoint-game`, `checkpoint-network` if the networks of two checkpoints have no mean. */
function expectAlike(
  [firstFolder, first]: readonly [string, Checkpoint],
  [folder, other]: readonly [string, Checkpoint],
): void {
  checkGame(folder, other, first.game);
  const [expected, found] = [first, other].map(({ network }) => JSON.stringify(network.shape.config));
  if (found === expected) return;
  throw new TrainingError(
    'checkpoint-network',
    `expected a network of ${expected!}, as in ${firstFolder}; ${folder} has one of ${found!}`,
  );
}

/**
 * Reads checkpoints whose weights have a mean.
 *
 * @param folders of at least one checkpoint.
 * @throws TrainingError `checkpoint-game`, `checkpoint-network` for checkpoints unlike the first; as `readCheckpoint`.
 */
export async function readAlike(
  folders: readonly [string, ...string[]],
): Promise<[Checkpoint, ...Checkpoint[]]> {
  const [firstFolder, ...otherFolders] = folders;
  const first = await readCheckpoint(firstFolder);
  const all: [Checkpoint, ...Checkpoint[]] = [first];
  for (const folder of otherFolders) {
    const other = await readCheckpoint(folder);
    expectAlike([firstFolder, first], [folder, other]);
    all.push(other);
  }
  return all;
}

/**
 * The checkpoint whose weights are the mean of those that play in the given checkpoints: for networks of one training,
 * from different steps or data, it often plays better than each (Wortsman et al. 2022, "Model soups"). It has the
 * greatest generation, and neither an optimiser nor a state of the learner.
 *
 * @param networks those of the checkpoints that play, prepared for their mean if need be.
 */
export function averageCheckpoints(
  checkpoints: readonly [Checkpoint, ...Checkpoint[]],
  networks: readonly Network[],
): Checkpoint {
  const [{ game, network }] = checkpoints;
  const sums = new Float64Array(network.weights.length);
  for (const { weights } of networks) weights.forEach((weight, index) => (sums[index]! += weight));
  return {
    generation: Math.max(...checkpoints.map(({ generation }) => generation)),
    game,
    network: networkOf(
      network.shape,
      Float32Array.from(sums, (sum) => sum / networks.length),
    ),
    average: null,
    optimizer: null,
    learnerRandom: null,
    configDigest: null,
    softwareVersion: softwareVersion(),
  };
}
