import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createGame } from '../env/games.js';
import { createRng } from '../env/random.js';
import { type Checkpoint, checkpointManifestPath, readCheckpoint } from './checkpoint.js';
import type { RunConfig } from './config.js';
import { TrainingError } from './errors.js';
import { type Network, networkOf, networkShape, parameterSpecs } from './network/network.js';
import type { RunOrigin } from './run-file.js';
import { softwareVersion } from './software-version.js';

/** The shapes of all parameters, as text. */
function formOf({ shape }: Pick<Network, 'shape'>): string {
  return JSON.stringify(parameterSpecs(shape).map(({ name, shape: lengths }) => [name, lengths]));
}

/** The checkpoint in `folder`, which must be of the game and the shape of network that the configuration asks for. */
async function fittingCheckpoint(folder: string, config: RunConfig): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(folder);
  const game = createGame(config.game.id, config.game.rules);
  const found = checkpoint.game;
  if (found.id !== game.id || found.rules !== game.rules) {
    throw new TrainingError(
      'checkpoint-game',
      `expected a checkpoint of ${game.id}, rules ${game.rules}; ${folder} is of ${found.id}, rules ${found.rules}`,
    );
  }
  const shape = networkShape(game, config.network);
  if (formOf({ shape }) !== formOf(checkpoint.network)) {
    const expected = JSON.stringify(config.network);
    const own = JSON.stringify(checkpoint.network.shape.config);
    throw new TrainingError(
      'checkpoint-network',
      `expected a network of ${expected}; ${folder} has one of ${own}: --set 'network=${own}' makes them fit`,
    );
  }
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
