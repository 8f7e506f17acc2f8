import { resolve } from 'node:path';
import { sha256 } from '../../data/files/sealed-json.js';
import { readInput } from '../../data/files/input-file.js';
import { createRng } from '../../env/random.js';
import type { Checkpoint } from '../checkpoints/checkpoint.js';
import { checkpointManifestPath } from '../checkpoints/checkpoint-files.js';
import { readCheckpoint } from '../checkpoints/checkpoint-folder.js';
import { growCheckpoint } from '../checkpoints/grown-checkpoint.js';
import { checkFit } from '../checkpoints/checkpoint-fit.js';
import type { RunConfig } from '../config/run-config.js';
import { TrainingError } from '../training-error.js';
import { networkOf } from '../network/network.js';
import { networkShape } from '../network/network-shape.js';
import type { RunOrigin } from './run-file.js';
import { softwareVersion } from '../software-version.js';

/** Reads the checkpoint in `folder`, which must fit the configuration (`checkFit`). */
async function fittingCheckpoint(folder: string, config: RunConfig): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(folder);
  checkFit(folder, checkpoint, config);
  return checkpoint;
}

async function digestOf(folder: string): Promise<string> {
  return sha256(await readInput(checkpointManifestPath(folder), 'manifest'));
}

/**
 * Identifies the checkpoint from which a run starts.
 *
 * @throws TrainingError `checkpoint-game`, `checkpoint-network` if it does not match the configuration; for damaged
 *   checkpoints the errors of `readCheckpoint`.
 */
export async function findOrigin(folder: string, config: RunConfig): Promise<RunOrigin> {
  await fittingCheckpoint(folder, config);
  return { checkpoint: resolve(folder), sha256: await digestOf(folder) };
}

/**
 * Creates generation 0 of a run that starts from a checkpoint, with the checkpoint's weights, averaged ones included,
 * and its optimiser with the step count. The stream that samples rows starts from the run's seed.
 *
 * @throws TrainingError `run-origin` if the checkpoint has changed since the run began; as `findOrigin` does.
 */
export async function originCheckpoint(
  { checkpoint: folder, sha256 }: RunOrigin,
  config: RunConfig,
  configDigest: string,
): Promise<Checkpoint> {
  const checkpoint = await fittingCheckpoint(folder, config);
  if ((await digestOf(folder)) !== sha256) {
    throw new TrainingError(
      'run-origin',
      `expected the checkpoint that the run was begun from in ${folder}, found a different one`,
    );
  }
  const grown = growCheckpoint(checkpoint, config.network, config.seed);
  const { network, game } = grown;
  return {
    ...grown,
    generation: 0,
    network: networkOf(networkShape(game, config.network), network.weights),
    learnerRandom: createRng(config.seed, 'shuffle').state(),
    configDigest,
    softwareVersion: softwareVersion(),
  };
}
