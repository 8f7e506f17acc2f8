import { join } from 'node:path';
import { readManifest } from '../../data/files/manifest.js';
import { CHECKPOINT_KIND, networkForPlay, readCheckpoint } from './checkpoint.js';
import { multiplyAccumulates, parameterSpecs } from '../network/network.js';

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

/** What is in a checkpoint; plain JSON. */
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
  /** How many numbers the network learns. */
  readonly parameters: number;
  /** Of one position, all heads included. */
  readonly multiplyAccumulates: number;
  /** Whether the network for play is an average of weights. */
  readonly averaged: boolean;
  /** Null where the optimiser's state is not kept. */
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
 * What is in the checkpoint in `folder`, every file checked.
 *
 * @throws what `readCheckpoint` throws.
 */
export async function summarizeCheckpoint(folder: string): Promise<CheckpointSummary> {
  const checkpoint = await readCheckpoint(folder);
  const { manifestVersion, files, details } = await readManifest(
    join(folder, 'manifest.json'),
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
