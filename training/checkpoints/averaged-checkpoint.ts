import { networkOf } from '../network/network.js';
import { softwareVersion } from '../software-version.js';
import { TrainingError } from '../training-error.js';
import { type Checkpoint, networkForPlay } from './checkpoint.js';
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
 * The checkpoint whose weights are the mean of those that play in the given checkpoints: for networks of one training,
 * from different steps or data, it often plays better than each (Wortsman et al. 2022, "Model soups"). It has the
 * greatest generation, and neither an optimiser nor a state of the learner.
 *
 * @param folders of at least one checkpoint.
 * @throws TrainingError `checkpoint-game`, `checkpoint-network` for checkpoints unlike the first; as `readCheckpoint`.
 */
export async function averageCheckpoints(folders: readonly [string, ...string[]]): Promise<Checkpoint> {
  const [firstFolder, ...otherFolders] = folders;
  const first = await readCheckpoint(firstFolder);
  const { shape, weights } = networkForPlay(first);
  const sums = Float64Array.from(weights);
  let { generation } = first;
  for (const folder of otherFolders) {
    const other = await readCheckpoint(folder);
    expectAlike([firstFolder, first], [folder, other]);
    for (const [index, weight] of networkForPlay(other).weights.entries()) sums[index]! += weight;
    generation = Math.max(generation, other.generation);
  }
  return {
    generation,
    game: first.game,
    network: networkOf(
      shape,
      Float32Array.from(sums, (sum) => sum / folders.length),
    ),
    average: null,
    optimizer: null,
    learnerRandom: null,
    configDigest: null,
    softwareVersion: softwareVersion(),
  };
}
