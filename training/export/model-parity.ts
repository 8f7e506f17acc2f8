import { readInput } from '../../data/files/input-file.js';
import type { Rng } from '../../env/random.js';
import { observeCarefulPositions } from '../play/careful-positions.js';
import { networkForPlay, type Checkpoint } from '../checkpoints/checkpoint.js';
import { predictGraphModel } from '../network/graph-model/graph-model.js';
import { TensorNetwork } from '../network/tensor-network.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { readRawLogits } from './raw-logits.js';

/** Number of positions on which exported files are compared. */
const CHECKED_POSITIONS = 100;

/** Greatest differences between the exported files and the trainer, over all logits of all checked positions. */
export interface Parity {
  readonly positions: number;
  /** Of the TensorFlow.js files, loaded afresh. */
  readonly tensorflowJs: number;
  /** Of the ONNX file in ONNX Runtime. */
  readonly onnx: number;
}

/** Paths of the files to compare. */
export interface ExportedModels {
  /** `model.json`, with its weights beside it. */
  readonly graph: string;
  readonly onnx: string;
}

type NamedLogits = ReadonlyMap<string, Float32Array>;

/** Infinity for NaN, and for outputs that are missing or of another length. */
function greatestDifference(expected: NamedLogits, actual: NamedLogits): number {
  let greatest = 0;
  for (const [head, left] of expected) {
    const right = actual.get(head);
    if (right?.length !== left.length) return Infinity;
    for (let i = 0; i < left.length; i++) {
      const difference = Math.abs(left[i]! - right[i]!);
      // NaN compares as no difference.
      if (!(difference <= greatest)) greatest = Number.isNaN(difference) ? Infinity : difference;
    }
  }
  return greatest;
}

/**
 * Compares exported files with the trainer.
 *
 * @param rng samples the positions.
 */
export async function measureParity(
  tf: Tensorflow,
  { graph, onnx }: ExportedModels,
  checkpoint: Checkpoint,
  rng: Rng,
): Promise<Parity> {
  const count = CHECKED_POSITIONS;
  const { game } = checkpoint;
  const { shape, weights } = networkForPlay(checkpoint);
  const observations = observeCarefulPositions(game, count, rng);
  const trainer = new TensorNetwork(tf, shape).predict(weights, observations, count);
  const graphLogits = await predictGraphModel(tf, graph, shape, observations);
  const onnxLogits = await readRawLogits(game, await readInput(onnx, 'model'), observations, count);
  return {
    positions: count,
    tensorflowJs: greatestDifference(trainer, graphLogits),
    onnx: greatestDifference(trainer, onnxLogits),
  };
}
