import type { RowWindow } from '../../data/datasets/row-window.js';
import { createRng } from '../../env/random.js';
import { observeCarefulPositions } from '../play/careful-positions.js';
import { type Checkpoint, networkForPlay } from './checkpoint.js';
import { calibrate, type Calibration } from '../network/calibration.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { observeRows } from './observed-rows.js';
import { correctOutcomes } from './outcome-shift.js';
import type { Precision } from '../../agents/play-options.js';

/** Number of positions on which the ranges are measured; more would hardly widen them. */
const POSITIONS = 256;

function calibrateOn(
  tf: Tensorflow,
  checkpoint: Checkpoint,
  observations: Float32Array,
  count: number,
): Promise<Calibration> {
  const network = networkForPlay(checkpoint);
  return correctOutcomes(network, calibrate(tf, network, observations, count), observations, count);
}

/**
 * Calibrates a checkpoint's network for play, on positions of the window that it learnt from.
 *
 * @returns undefined for float32, which needs no calibration.
 * @throws PackageError if ONNX Runtime is not installed.
 */
export async function calibrateOnWindow(
  tf: Tensorflow,
  checkpoint: Checkpoint,
  window: RowWindow,
  precision: Precision,
): Promise<Calibration | undefined> {
  if (precision === 'float32') return undefined;
  const count = Math.min(POSITIONS, window.trainingRows.length);
  const observations = observeRows(checkpoint.game, window, count);
  return calibrateOn(tf, checkpoint, observations, count);
}

/** Seed of the careful positions where no run has one. */
export const CALIBRATION_SEED = 1;

/**
 * Calibrates a checkpoint's network for play, on positions of careful random play, for use before any games exist.
 *
 * @throws PackageError if ONNX Runtime is not installed.
 */
export async function calibrateOnCarefulPositions(
  tf: Tensorflow,
  checkpoint: Checkpoint,
  seed: number,
): Promise<Calibration> {
  const observations = observeCarefulPositions(checkpoint.game, POSITIONS, createRng(seed, 'calibration'));
  return calibrateOn(tf, checkpoint, observations, POSITIONS);
}
