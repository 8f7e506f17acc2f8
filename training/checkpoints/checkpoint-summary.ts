import { readManifest } from '../../data/files/manifest.js';
import { networkForPlay } from './checkpoint.js';
import { CHECKPOINT_KIND, checkpointManifestPath } from './checkpoint-files.js';
import { readCheckpoint } from './checkpoint-folder.js';
import { multiplyAccumulates, parameterSpecs } from '../network/parameter-specs.js';

/** One trained array of a checkpoint's network for play. */
export interface WeightsSummary {
  readonly name: string;
  readonly shape: readonly number[];
  readonly mean: number;
  /** Standard deviation. */
  readonly deviation: number;
  readonly min: number;
  readonly max: number;
}

/** The content of a checkpoint; plain JSON. */
export interface CheckpointSummary {
  readonly checkpointVersion: number;
  readonly manifestVersion: number;
  readonly generation: number;
  readonly game: string;
  readonly rules: string;
  readonly rulesVersion: number;
  readonly encodingVersion: number;
  readonly softwareVersion: string;
  /** SHA-256 of the run's configuration; null outside a run. */
  readonly configDigest: string | null;
  readonly network: Readonly<Record<string, unknown>>;
  /** Number of trained weights. */
  readonly parameters: number;
  /** Multiply-accumulates for one position, all heads included. */
  readonly multiplyAccumulates: number;
  /** Whether the network for play is an average of weights. */
  readonly averaged: boolean;
  /** Null if the optimiser's state is not stored. */
  readonly optimizerSteps: number | null;
  /** Sizes in bytes by name. */
  readonly files: Readonly<Record<string, number>>;
  readonly weights: readonly WeightsSummary[];
}

function summarizeWeights(name: string, shape: readonly number[], values: Float32Array): WeightsSummary {
  let [sum, squares, min, max] = [0, 0, Infinity, -Infinity];
  for (const value of values) {
    sum += value;
    squares += value * value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const mean = sum / values.length;
  const deviation = Math.sqrt(Math.max(0, squares / values.length - mean * mean));
  return { name, shape, mean, deviation, min, max };
}

/**
 * Summarises the checkpoint in `folder`; every file is verified.
 *
 * @throws the errors of `readCheckpoint`.
 */
export async function summarizeCheckpoint(folder: string): Promise<CheckpointSummary> {
  const checkpoint = await readCheckpoint(folder);
  const { manifestVersion, files, details } = await readManifest(
    checkpointManifestPath(folder),
    CHECKPOINT_KIND,
  );
  const { generation, game, average, optimizer, configDigest, softwareVersion } = checkpoint;
  const { shape, weights, parameters } = networkForPlay(checkpoint);
  return {
    checkpointVersion: Number(details['checkpointVersion']),
    manifestVersion,
    generation,
    game: game.id,
    rules: game.rules,
    rulesVersion: game.rulesVersion,
    encodingVersion: game.encodingVersion,
    softwareVersion,
    configDigest,
    network: { ...shape.config },
    parameters: weights.length,
    multiplyAccumulates: multiplyAccumulates(shape),
    averaged: average !== null,
    optimizerSteps: optimizer?.step ?? null,
    files: Object.fromEntries(Object.entries(files).map(([name, { bytes }]) => [name, bytes])),
    weights: parameterSpecs(shape).map(({ name, shape: lengths }) =>
      summarizeWeights(name, lengths, parameters.get(name)!),
    ),
  };
}
