import { join } from 'node:path';
import { MODEL_FILE, WEIGHTS_FILE } from '../network/graph-model/graph-files.js';
import { TrainingError } from '../training-error.js';
import type { Precision } from '../../agents/play-options.js';

/** `kind` in the manifest of a checkpoint. */
export const CHECKPOINT_KIND = 'checkpoint';

/** Names of a checkpoint's files; `learner`, `optimizer` and `int8` are optional. */
export const CHECKPOINT_FILES = {
  manifest: 'manifest.json',
  model: MODEL_FILE,
  weights: WEIGHTS_FILE,
  /** Weights from which learning continues, where the model for play has averaged ones. */
  learner: 'learner.bin',
  optimizer: 'optimizer.bin',
  float32: 'model.onnx',
  int8: 'model-int8.onnx',
} as const;

/** Path of the manifest of the checkpoint in `folder`. */
export function checkpointManifestPath(folder: string): string {
  return join(folder, CHECKPOINT_FILES.manifest);
}

/** Path of the model for play of the checkpoint in `folder`: ONNX, its `legal` form. */
export function checkpointModelPath(folder: string, precision: Precision = 'float32'): string {
  return join(folder, CHECKPOINT_FILES[precision]);
}

/** The error for a checkpoint whose files contradict its manifest. */
export function checkpointDamaged(path: string, reason: string, cause?: unknown): TrainingError {
  return new TrainingError('checkpoint-damaged', `expected a checkpoint in ${path}: ${reason}`, { cause });
}
