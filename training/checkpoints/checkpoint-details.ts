import * as z from 'zod';
import type { ManifestDetails } from '../../data/files/manifest.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { validate } from '../../env/problems-text.js';
import { RngState } from '../../env/spaces/rng-state.js';
import { NetworkConfig } from '../network/network-config.js';
import { withoutRetiredHeads } from '../network/retired-heads.js';
import { TrainingError } from '../training-error.js';
import type { Checkpoint } from './checkpoint.js';
import { checkpointDamaged } from './checkpoint-files.js';

/** Version of the checkpoint format. */
const CHECKPOINT_VERSION = 1;

/** Greatest number of a counter. Learning refuses to go on beyond it, so that the next checkpoint can be read, too. */
export const MAX_COUNTER = 2 ** 52;

/** A number that learning raises. */
export const Counter = z.int().min(0).max(MAX_COUNTER);

/** The details in a checkpoint's manifest. */
export const CheckpointDetails = z.strictObject({
  checkpointVersion: z.literal(CHECKPOINT_VERSION),
  /** Number of the network in its run; 0 is the untrained one. */
  generation: Counter,
  game: z.strictObject({
    id: z.string(),
    rules: z.string(),
    rulesVersion: z.int(),
    encodingVersion: z.int(),
  }),
  network: z.preprocess(withoutRetiredHeads, NetworkConfig),
  /** Whether the network for play has averaged weights. */
  averaged: z.boolean(),
  /** Steps of the optimiser; null if its state is not stored. */
  optimizerSteps: Counter.nullable(),
  /** State of the learner's random stream; null if it is not stored. */
  learnerRandom: RngState.nullable(),
  /** SHA-256 of the run's configuration; null outside a run. */
  configDigest: z.string().nullable(),
  softwareVersion: z.string(),
});
export type CheckpointDetails = z.infer<typeof CheckpointDetails>;

/** The details of a checkpoint, for its manifest. */
export function checkpointDetails(checkpoint: Checkpoint): CheckpointDetails {
  const { game, network, optimizer, learnerRandom } = checkpoint;
  return {
    checkpointVersion: CHECKPOINT_VERSION,
    generation: checkpoint.generation,
    game: {
      id: game.id,
      rules: game.rules,
      rulesVersion: game.rulesVersion,
      encodingVersion: game.encodingVersion,
    },
    network: network.shape.config,
    averaged: checkpoint.average !== null,
    optimizerSteps: optimizer?.step ?? null,
    learnerRandom: learnerRandom === null ? null : [...learnerRandom],
    configDigest: checkpoint.configDigest,
    softwareVersion: checkpoint.softwareVersion,
  };
}

/**
 * Checks the details of a manifest.
 *
 * @param path of the manifest, for messages.
 * @throws TrainingError `checkpoint-too-new`, `checkpoint-damaged`.
 */
export function parseDetails(path: string, details: ManifestDetails): CheckpointDetails {
  const version = details['checkpointVersion'];
  if (typeof version === 'number' && version > CHECKPOINT_VERSION) {
    throw new TrainingError(
      'checkpoint-too-new',
      `expected checkpoint version ${CHECKPOINT_VERSION}, found ${version} in ${path}`,
    );
  }
  return validate(CheckpointDetails, details, (problems, cause) => checkpointDamaged(path, problems, cause));
}

/**
 * The checkpoint's game in this program; rules and planes must mean the same in both.
 *
 * @param path of the manifest, for messages.
 * @throws TrainingError `checkpoint-game`; NotationError `game-unknown`, `rules-unknown`.
 */
export function gameOf(path: string, expected: CheckpointDetails['game']): Game<unknown> {
  const game = createGame(expected.id, expected.rules);
  const problems = (['rules', 'rulesVersion', 'encodingVersion'] as const)
    .filter((key) => game[key] !== expected[key])
    .map((key) => `${key} ${game[key]} (this program) but found ${expected[key]}`);
  if (problems.length === 0) return game;
  throw new TrainingError(
    'checkpoint-game',
    `expected ${problems.join(', ')}: ${path}, a checkpoint of ${game.id}`,
  );
}
