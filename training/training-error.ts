import { CodedError } from '../env/errors.js';

/**
 * Machine-readable causes of failures in `training/`.
 *
 * - `tensorflow-missing` (not set up on this machine), `tensorflow-threads`, `tensorflow-precision` (this process
 *   already runs TensorFlow with another number of threads, another precision); `wasm-failed` (TensorFlow.js on
 *   WebAssembly does not start);
 * - set-up of native TensorFlow: `platform-unsupported`, `python-missing` (Python 3 or its pip),
 *   `compiler-missing`, `disk-space`, `download-failed`, `download-altered` (wrong checksum),
 *   `binding-failed` (does not compile), `setup-busy` (another set-up runs), `cache-untrusted` (other users can change
 *   the cache), `cache-read-only`, `setup-failed` (anything else);
 * - `machine-lacks`: `gess doctor` found something missing;
 * - `config-missing`, `config-syntax` (not JSON), `config-invalid` (unknown key, value out of range);
 * - `loss-not-finite`: the message names a file with the batch, except for losses on held-back rows;
 * - `network-not-finite`: activations of a network are infinite or no numbers;
 * - `checkpoint-exists`, `checkpoint-damaged` (files that contradict each other), `checkpoint-too-new`,
 *   `checkpoint-game` (game, rules or encoding other than expected), `checkpoint-network` (network of another shape);
 * - `export-exists`; `export-mismatch`: outputs of its files differ from the trainer's or from the test vectors;
 *   `export-foreign`: its TensorFlow.js graph differs from what this program writes;
 * - `worker-died`: three processes ended over the same games; `shard-of-other-job`: another job's shard exists;
 * - many machines: `pool-unreachable` (no server, or no coordinator's answer), `pool-refused` (credentials or
 *   permissions), `pool-busy` (another run uses it), `pool-version` (a worker with other versions), `pool-fingerprint`
 *   (a worker with another processor), `pool-suspended`, `pool-address` (not a server's address, host or port),
 *   `pool-ticket` (a damaged file of credentials), `pool-setup` (invalid folder of `gess pool init`, or worker),
 *   `pool-content` (a file that does not match its digest);
 * - `opening-too-long`: hardly any game lasts that many random plies; `tuning-games`: too few games with a result, or
 *   games in which stones do not help to win; `distillation-rows`: too few positions with a value;
 * - `bind-cores`: processes cannot be bound to cores here;
 * - `match-exists`, `match-missing`, `match-damaged`, `match-changed` (settings other than those in its folder);
 * - `ladder-missing`, `ladder-damaged`, `ladder-changed` (settings or a model other than the ladder's),
 *   `ladder-player` (not a player for this ladder);
 * - `openings-missing`, `openings-invalid` (not a book, or damaged), `openings-few` (the game has too few),
 *   `openings-game` (a book of another game or of other rules);
 * - an engine in another process: `engine-start` (does not start, or does not play the game), `engine-silent`,
 *   `engine-ended` (no answer), `engine-illegal` (an illegal move); `match-program` (a match on disk names a program);
 * - `agent-value`: an agent without a value for a position; `solved-positions`: an invalid file of solved positions;
 * - `problems-few`: hardly any game has a problem;
 * - `run-exists`, `run-missing`, `run-changed` (started with another configuration), `run-damaged`, `run-too-new`,
 *   `run-origin` (its initial checkpoint has changed).
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
  | 'cache-untrusted'
  | 'cache-read-only'
  | 'setup-failed'
  | 'machine-lacks'
  | 'config-missing'
  | 'config-syntax'
  | 'config-invalid'
  | 'loss-not-finite'
  | 'network-not-finite'
  | 'checkpoint-exists'
  | 'checkpoint-damaged'
  | 'checkpoint-too-new'
  | 'checkpoint-game'
  | 'checkpoint-network'
  | 'export-exists'
  | 'export-mismatch'
  | 'export-foreign'
  | 'worker-died'
  | 'shard-of-other-job'
  | 'engine-start'
  | 'engine-silent'
  | 'engine-ended'
  | 'engine-illegal'
  | 'bind-cores'
  | 'match-program'
  | 'agent-value'
  | 'problems-few'
  | 'solved-positions'
  | 'run-exists'
  | 'run-missing'
  | 'run-changed'
  | 'run-damaged'
  | 'run-too-new'
  | 'run-origin'
  | 'pool-unreachable'
  | 'pool-refused'
  | 'pool-busy'
  | 'pool-version'
  | 'pool-fingerprint'
  | 'pool-suspended'
  | 'pool-address'
  | 'pool-ticket'
  | 'pool-setup'
  | 'pool-content'
  | 'opening-too-long'
  | 'match-exists'
  | 'match-missing'
  | 'match-damaged'
  | 'match-changed'
  | 'ladder-missing'
  | 'ladder-damaged'
  | 'ladder-changed'
  | 'ladder-player'
  | 'openings-missing'
  | 'openings-invalid'
  | 'openings-few'
  | 'openings-game'
  | 'tuning-games'
  | 'distillation-rows';

/** Thrown by `training/` for bad input or missing prerequisites; no partial files are left. */
export class TrainingError extends CodedError<TrainingErrorCode> {
  override readonly name = 'TrainingError';
  /** An invalid configuration is wrong usage, whether it comes from a file or from flags; so is an invalid address. */
  override readonly exitCode = this.code.startsWith('config-') || this.code === 'pool-address' ? 2 : 1;
}

/**
 * Machine-readable causes of an invalid `--set` option: `setting-syntax` (no `path=value`), `setting-unknown` (no such
 * path), `setting-invalid` (invalid value).
 */
export type SettingErrorCode = 'setting-syntax' | 'setting-unknown' | 'setting-invalid';

/** Thrown for an invalid `--set` option; the message names the setting's path. */
export class SettingError extends CodedError<SettingErrorCode> {
  override readonly name = 'SettingError';
}
