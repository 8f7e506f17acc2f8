import { dirname, join } from 'node:path';
import * as z from 'zod';
import { DataError } from '../../data/data-error.js';
import { validate } from '../../env/problems-text.js';
import type { Checkpoint } from '../checkpoints/checkpoint.js';
import { gameOf } from '../checkpoints/checkpoint-details.js';
import { CHECKPOINT_FILES } from '../checkpoints/checkpoint-files.js';
import { readNetworks } from '../checkpoints/checkpoint-weights.js';
import { NetworkConfig } from '../network/network-config.js';
import { gameOfNetwork } from '../network/network-shape.js';
import { withoutRetiredHeads } from '../network/retired-heads.js';
import { EXPORT_FILES } from './export-files.js';
import { readExportedFile } from './exported-file.js';
import { readSpec } from './spec-file.js';

/** The part of a specification that is needed to read the network. */
const NetworkSpec = z.object({
  generation: z.int().min(0),
  network: z.preprocess(withoutRetiredHeads, z.object(NetworkConfig.shape)),
  trainedBy: z.string(),
});

/**
 * Reads the network of an export, as a checkpoint without a learning state.
 *
 * @returns null if the folder has no `spec.json`.
 * @throws DataError as `readSpec` and `readExportedFile`; TrainingError `checkpoint-damaged`, `checkpoint-game`;
 *   NotationError `game-unknown`, `rules-unknown`.
 */
export async function readExportedNetwork(folder: string): Promise<Checkpoint | null> {
  const path = join(folder, EXPORT_FILES.spec);
  const spec = await readSpec(path);
  if (spec === null) return null;
  const {
    generation,
    network: config,
    trainedBy,
  } = validate(
    NetworkSpec,
    spec,
    (problems) => new DataError('manifest-damaged', `expected a network in ${path}: ${problems}`),
  );
  const game = gameOfNetwork(gameOf(path, { ...spec, id: spec.game }), config);
  const read = async (name: string): Promise<Buffer> => readExportedFile(spec, join(dirname(path), name));
  const files = new Map([
    [CHECKPOINT_FILES.model, await read(EXPORT_FILES.graph)],
    [CHECKPOINT_FILES.weights, await read(EXPORT_FILES.weights)],
  ] as const);
  const { network } = readNetworks({ path, files }, game, { network: config, averaged: false });
  return {
    ...{ generation, game, network, average: null, optimizer: null, learnerRandom: null },
    ...{ configDigest: null, softwareVersion: trainedBy },
  };
}
