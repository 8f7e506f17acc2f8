import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createRng } from '../../env/random.js';
import type { Checkpoint } from '../checkpoints/checkpoint.js';
import { checkpointManifestPath } from '../checkpoints/checkpoint-files.js';
import { readCheckpoint } from '../checkpoints/checkpoint-folder.js';
import { checkFit } from '../checkpoints/checkpoint-fit.js';
import type { RunConfig } from '../config/run-config.js';
import { TrainingError } from '../training-error.js';
import { networkOf, networkShape } from '../network/network.js';
import type { RunOrigin } from './run-file.js';
import { softwareVersion } from '../software-version.js';

/** The checkpoint in `folder`, which must be of the game and the shape of network that the configuration asks for. */
async function fittingCheckpoint(folder: string, config: RunConfig): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(folder);
  checkFit(folder, checkpoint, config);
  return checkpoint;
}

async function digestOf(folder: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(checkpointManifestPath(folder)))
    .digest('hex');
}

/**
 * What a run is to remember of the checkpoint that it begins from.
 *
 * @throws TrainingError `checkpoint-game`, `checkpoint-network` where it does not fit the configuration; what
 *   `readCheckpoint` throws.
 */
export async function findOrigin(folder: string, config: RunConfig): Promise<RunOrigin> {
  await fittingCheckpoint(folder, config);
  return { checkpoint: resolve(folder), sha256: await digestOf(folder) };
}

/**
 * Generation 0 of a run that begins from a checkpoint: its weights, averaged ones too, and its optimiser with the count
 * of its steps; the order of rows begins anew, from the run's seed.
 *
 * @throws TrainingError `run-origin` where the checkpoint is another one now; what `findOrigin` throws.
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
      `expected the checkpoint that the run was begun from in ${folder}, found another`,
    );
  }
  const { network, game } = checkpoint;
  return {
    ...checkpoint,
    generation: 0,
    network: networkOf(networkShape(game, config.network), network.weights),
    learnerRandom: createRng(config.seed, 'shuffle').state(),
    configDigest,
    softwareVersion: softwareVersion(),
  };
}
