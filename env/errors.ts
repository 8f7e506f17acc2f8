/** Longer messages are cut in the middle: they quote bad input, which may be of any length. */
export const MAX_MESSAGE_LENGTH = 4000;

function cutMessage(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  const mark = ` … ${message.length} characters … `;
  const half = Math.floor((MAX_MESSAGE_LENGTH - mark.length) / 2);
  return message.slice(0, half) + mark + message.slice(-half);
}

/**
 * What every error of bad input is: text, file, configuration, flag or network message. `code` is what
 * callers and tests match on; the message says what was expected, what was found, and where, in at most
 * `MAX_MESSAGE_LENGTH` characters.
 *
 * Each layer has its own subclass with its own literal codes. The command line prints the message without
 * a stack trace and exits with `exitCode`.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  /** 1: it failed; 2: it was used wrongly. */
  readonly exitCode: 1 | 2 = 2;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(cutMessage(message), options);
    this.code = code;
  }
}

/** Machine-readable causes of a text or setting of `env/` that cannot be used. */
export type NotationErrorCode =
  | 'position-syntax'
  | 'position-size'
  | 'position-turn'
  | 'action-syntax'
  | 'figure-syntax'
  | 'no-diagram'
  | 'game-unknown'
  | 'game-exists'
  | 'game-invalid'
  | 'game-module'
  | 'rules-unknown'
  | 'request-syntax';

/** Thrown when a text does not describe a position, an action, a game or a set of rules. */
export class NotationError extends CodedError<NotationErrorCode> {
  override readonly name = 'NotationError';
}

/**
 * Machine-readable causes of a space, a sample or a way of sampling that cannot be used.
 *
 * - `space-shape`, `space-bounds`, `space-count` (how many values), `space-members` (of a `Dict` or `Tuple`):
 *   what a space was to be made of;
 * - `space-syntax`: JSON that is not a space; `space-kind`: a kind of space that is not known here;
 * - `sample-outside`: a value that is not in the space; `sample-syntax`: JSON that is not samples of it;
 *   `sample-flat`: numbers that no sample flattens to;
 * - `sample-options`: a mask, list or weights of the wrong form; `sample-none-allowed`: they allow nothing;
 * - `random-state`: a seed or a stored state that no random stream has.
 */
export type SpaceErrorCode =
  | 'space-shape'
  | 'space-bounds'
  | 'space-count'
  | 'space-members'
  | 'space-syntax'
  | 'space-kind'
  | 'sample-outside'
  | 'sample-syntax'
  | 'sample-flat'
  | 'sample-options'
  | 'sample-none-allowed'
  | 'random-state';

/** Thrown by `env/spaces/`; the message names the place in nested spaces, `observation[17]`. */
export class SpaceError extends CodedError<SpaceErrorCode> {
  override readonly name = 'SpaceError';
}

/** Thrown for time that cannot be spent: by a game without clocks, or no number of seconds from 0 on. */
export class ClockError extends CodedError<'no-clock' | 'seconds-range'> {
  override readonly name = 'ClockError';
}

/**
 * Machine-readable causes of a use of an environment that cannot be.
 *
 * - `reset-needed`: something was asked of an episode that has not begun, or that all agents have left;
 * - `agent-unknown`: no agent of this environment; `seed-range`: no seed that a random stream has;
 * - `state-mismatch`: a saved state that this environment cannot go on from;
 * - `env-id`: a text that is no id; `env-unknown`, `env-exists`: an id that is not, or is already, registered;
 * - `kwargs`: what an environment cannot be made from; `opponent`: an opponent that is not known here, or that
 *   chose what it may not;
 * - `no-spec`: an environment that `make` did not make; `spec-syntax`: JSON that is not a spec;
 *   `rules-mismatch`: a spec of rules that are not those here; `wrapper-unknown`: a spec with a wrapper that is not known here;
 * - `env-closed`: something was asked after `close`;
 * - `wrapper-options`; `wrapper-target`: an environment that a wrapper cannot be put around; `wrapper-function`: a
 *   wrapper that JSON cannot hold, as it was given a function;
 * - `vector-options`: what a vector of environments cannot be made from, or be asked; `worker-died`: a process of
 *   one ended.
 */
export type EnvErrorCode =
  | 'reset-needed'
  | 'agent-unknown'
  | 'seed-range'
  | 'state-mismatch'
  | 'env-id'
  | 'env-unknown'
  | 'env-exists'
  | 'kwargs'
  | 'opponent'
  | 'no-spec'
  | 'spec-syntax'
  | 'rules-mismatch'
  | 'wrapper-unknown'
  | 'env-closed'
  | 'wrapper-options'
  | 'wrapper-target'
  | 'wrapper-function'
  | 'vector-options'
  | 'worker-died';

/** Thrown by `env/environments/`. */
export class EnvError extends CodedError<EnvErrorCode> {
  override readonly name = 'EnvError';
}

/**
 * Faults of an environment that `passiveChecker` finds: of an `observation`, its `mask`, a `reward`, a `flag` (that
 * terminates or truncates), an `info`, its `legal-actions`, what is told of `agents`; `last` that differs from
 * them; what was `render`ed; arrays that are in `reuse`.
 */
export type CheckErrorCode =
  | 'check-observation'
  | 'check-mask'
  | 'check-reward'
  | 'check-flag'
  | 'check-info'
  | 'check-legal-actions'
  | 'check-agents'
  | 'check-last'
  | 'check-render'
  | 'check-reuse';

/** Thrown by `passiveChecker`: the environment is at fault, not who uses it. */
export class CheckError extends CodedError<CheckErrorCode> {
  override readonly name = 'CheckError';
  override readonly exitCode = 1;
}

/**
 * Thrown by a vector of environments for an error in one of them: `code` is that error's, or `failed` for one
 * that has none, which is a defect of the environment. `cause` is that error, or from a process its name, message
 * and stack.
 */
export class SubEnvironmentError extends CodedError {
  override readonly name = 'SubEnvironmentError';
  override readonly exitCode = 1;
  /** Which environment it was, from 0. */
  readonly index: number;

  constructor(index: number, cause: Error) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'failed';
    super(code, `environment ${index}: ${cause.message}`, { cause });
    this.index = index;
  }
}

/** Thrown by environments and replays for an action that is not legal; the state is as it was. */
export class IllegalActionError extends CodedError<'illegal-action' | 'game-over'> {
  override readonly name = 'IllegalActionError';
}
