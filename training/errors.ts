import { CodedError } from '../env/errors.js';

/** Machine-readable causes of what `training/` cannot do. */
export type TrainingErrorCode = 'tensorflow-missing' | 'tensorflow-threads';

/** Thrown by `training/` for bad input and for what the machine lacks; nothing half-written is left. */
export class TrainingError extends CodedError<TrainingErrorCode> {
  override readonly name = 'TrainingError';
  override readonly exitCode = 1;
}
