import { join } from 'node:path';
import type { Rng } from '../../env/random.js';
import { carefulPositions } from '../play/careful-positions.js';
import { networkForPlay, type Checkpoint } from '../checkpoints/checkpoint.js';
import { predictGraphModel } from '../network/graph-model/graph-model.js';
import { TensorNetwork } from '../network/tensor-network.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { TrainingError } from '../training-error.js';
import {
  answerDifference,
  answersOf,
  checkedPositions,
  greatestDifference,
  type ModelOutputs,
} from './checked-positions.js';
import { EXPORT_FILES, TOLERANCE } from './export-files.js';
import { type Int8Error, int8Error } from './int8-error.js';
import { readLegalAnswers, readRawLogits } from './raw-logits.js';

/** Number of positions on which exported files are compared. */
const CHECKED_POSITIONS = 100;
/** Greatest divergence of the int8 policy, in nats. Working models have a hundredth of this. */
export const MAX_INT8_DIVERGENCE = 1;

/** Greatest differences between the exported files and the trainer, over all logits of all checked positions. */
export interface Parity {
  readonly positions: number;
  /** Of the TensorFlow.js files, loaded afresh. */
  readonly tensorflowJs: number;
  /** Of the ONNX file of the form `policy` in ONNX Runtime. */
  readonly onnxPolicy: number;
  /** Of the ONNX file of the form `legal`, over the legal actions. */
  readonly onnxLegal: number;
  /** Of the int8 file from the file of the form `legal`. */
  readonly int8: Int8Error;
}

/** The greatest difference over all outputs; infinity for NaN and missing outputs. */
function outputDifference(expected: ModelOutputs, actual: ModelOutputs): number {
  return Math.max(...[...expected].map(([name, left]) => greatestDifference(left, actual.get(name))));
}

/**
 * Compares the files of an export with the trainer.
 *
 * @param modelOf returns the bytes of an ONNX file by its name.
 * @param rng samples the positions.
 */
export async function measureParity(
  tf: Tensorflow,
  checkpoint: Checkpoint,
  { folder, modelOf, rng }: { folder: string; modelOf: (name: string) => Uint8Array; rng: Rng },
): Promise<Parity> {
  const { game } = checkpoint;
  const { shape, weights } = networkForPlay(checkpoint);
  const positions = checkedPositions(game, carefulPositions(game, CHECKED_POSITIONS, rng));
  const { observations, count } = positions;
  const trainer = new TensorNetwork(tf, shape).predict(weights, observations, count);
  const graph = await predictGraphModel(tf, join(folder, EXPORT_FILES.graph), shape, observations);
  const policy = await readRawLogits(game, modelOf(EXPORT_FILES.policy), observations, count);
  const legal = await readLegalAnswers(modelOf(EXPORT_FILES.legal), positions);
  const int8 = await readLegalAnswers(modelOf(EXPORT_FILES.int8), positions);
  return {
    positions: count,
    tensorflowJs: outputDifference(trainer, graph),
    onnxPolicy: outputDifference(trainer, policy),
    onnxLegal: answerDifference(legal, answersOf(trainer, positions), positions),
    int8: int8Error(int8, legal, positions),
  };
}

/**
 * Checks that the files of an export agree.
 *
 * @param folder of the export, for the message.
 * @throws TrainingError `export-mismatch`.
 */
export function expectParity(folder: string, { tensorflowJs, onnxPolicy, onnxLegal, int8 }: Parity): void {
  const differences = { 'TensorFlow.js': tensorflowJs, 'ONNX, policy': onnxPolicy, 'ONNX, legal': onnxLegal };
  const found = Object.entries(differences).map(([name, difference]) => `${difference} (${name})`);
  if (Math.max(tensorflowJs, onnxPolicy, onnxLegal) > TOLERANCE) {
    throw new TrainingError(
      'export-mismatch',
      `expected the written files to be within ${TOLERANCE} of the trainer, found differences of ` +
        `${found.join(', ')}; nothing was written to ${folder}`,
    );
  }
  if (int8.policyDivergence <= MAX_INT8_DIVERGENCE) return;
  throw new TrainingError(
    'export-mismatch',
    `expected the policies of the int8 and the float32 model to diverge by at most ${MAX_INT8_DIVERGENCE} nat, ` +
      `found ${int8.policyDivergence}; nothing was written to ${folder}`,
  );
}
