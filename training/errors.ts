import { CodedError } from '../env/errors.js';

/**
 * Machine-readable causes of what `training/` cannot do.
 *
 * - `tensorflow-missing` (not set up here), `tensorflow-threads` (this process runs it with another number);
 * - of the set-up of native TensorFlow: `platform-unsupported`, `python-missing` (Python 3 or its pip),
 *   `compiler-missing`, `disk-space`, `download-failed`, `download-altered` (another checksum),
 *   `binding-failed` (does not compile), `setup-busy` (another set-up runs), `setup-failed` (anything else);
 * - `machine-lacks`: `gess doctor` found something missing;
 * - `config-missing`, `config-syntax` (not JSON), `config-invalid` (unknown key, value out of range);
 * - `run-exists`, `run-missing`, `run-changed` (begun with another configuration), `run-damaged`.
 */
export type TrainingErrorCode =
  | 'tensorflow-missing'
  | 'tensorflow-threads'
  | 'platform-unsupported'
  | 'python-missing'
  | 'compiler-missing'
  | 'disk-space'
  | 'download-failed'
  | 'download-altered'
  | 'binding-failed'
  | 'setup-busy'
  | 'setup-failed'
  | 'machine-lacks'
  | 'config-missing'
  | 'config-syntax'
  | 'config-invalid'
  | 'run-exists'
  | 'run-missing'
  | 'run-changed'
  | 'run-damaged';

/** Thrown by `training/` for bad input and for what the machine lacks; nothing half-written is left. */
export class TrainingError extends CodedError<TrainingErrorCode> {
  override readonly name = 'TrainingError';
  override readonly exitCode = 1;
}
