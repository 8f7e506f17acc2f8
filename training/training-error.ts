import { CodedError } from '../env/errors.js';

/**
 * Machine-readable causes of what `training/` cannot do.
 *
 * - `tensorflow-missing` (not set up here), `tensorflow-threads`, `tensorflow-precision` (this process runs it with
 *   another); `wasm-failed` (TensorFlow.js on WebAssembly does not start);
 * - of the set-up of native TensorFlow: `platform-unsupported`, `python-missing` (Python 3 or its pip),
 *   `compiler-missing`, `disk-space`, `download-failed`, `download-altered` (another checksum),
 *   `binding-failed` (does not compile), `setup-busy` (another set-up runs), `setup-failed` (anything else);
 * - `machine-lacks`: `gess doctor` found something missing;
 * - `config-missing`, `config-syntax` (not JSON), `config-invalid` (unknown key, value out of range);
 * - `loss-not-finite`: the batch is in a file that the message names;
 * - `checkpoint-exists`, `checkpoint-damaged` (files that do not fit together), `checkpoint-too-new`,
 *   `checkpoint-game` (another game, rules or encoding than expected), `checkpoint-network` (of another shape);
 * - `export-exists`, `export-mismatch`: the written files do not compute what the trainer does;
 * - `worker-died`: three processes ended over the same games; `shard-of-other-job`: a shard in the way;
 * - `archive-changed`: a shard that games were to begin in is another one now;
 * - `opening-too-long`: no game lasts for as many random plies; `tuning-games`: too few games with a result to fit;
 * - `rescore-value`: an agent without a value of a position; `solved-positions`: a file of them that cannot be read;
 * - `run-exists`, `run-missing`, `run-changed` (begun with another configuration), `run-damaged`, `run-too-new`,
 *   `run-origin` (the checkpoint that it was begun from is another one now).
 */
export type TrainingErrorCode =
  | 'tensorflow-missing'
  | 'tensorflow-threads'
  | 'tensorflow-precision'
  | 'wasm-failed'
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
  | 'loss-not-finite'
  | 'checkpoint-exists'
  | 'checkpoint-damaged'
  | 'checkpoint-too-new'
  | 'checkpoint-game'
  | 'checkpoint-network'
  | 'export-exists'
  | 'export-mismatch'
  | 'worker-died'
  | 'shard-of-other-job'
  | 'rescore-value'
  | 'solved-positions'
  | 'run-exists'
  | 'run-missing'
  | 'run-changed'
  | 'run-damaged'
  | 'run-too-new'
  | 'run-origin'
  | 'archive-changed'
  | 'opening-too-long'
  | 'tuning-games';

/** Thrown by `training/` for bad input and for what the machine lacks; nothing half-written is left. */
export class TrainingError extends CodedError<TrainingErrorCode> {
  override readonly name = 'TrainingError';
  /** A configuration that cannot be used is wrong use, in a file as in flags. */
  override readonly exitCode = this.code.startsWith('config-') ? 2 : 1;
}

/**
 * Machine-readable causes of a setting on the command line that cannot be used: `setting-syntax` (no `path=value`),
 * `setting-unknown`, `setting-invalid` (a value that the setting cannot have).
 */
export type SettingErrorCode = 'setting-syntax' | 'setting-unknown' | 'setting-invalid';

/** Thrown for what `--set` says; the message names the setting's path. */
export class SettingError extends CodedError<SettingErrorCode> {
  override readonly name = 'SettingError';
}
