import { cleanMessage } from './text/quoted-text.js';

/**
 * Base of all errors caused by bad input: text, file, configuration, flag or network message. Callers and
 * tests match on `code`; the message states what was expected, what was found, and where, on one line that a
 * terminal can show (`cleanMessage`).
 *
 * Each layer has its own subclass with its own literal codes. The command line prints the message without
 * a stack trace and exits with `exitCode`.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  /** 1: failure; 2: wrong usage. */
  readonly exitCode: 1 | 2 = 2;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(cleanMessage(message), options);
    this.code = code;
  }
}

/** Machine-readable causes of an invalid text or setting in `env/`. */
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
  | 'request-syntax'
  | 'request-size';

/** Thrown for a text that is not a valid position, action, game or set of rules. */
export class NotationError extends CodedError<NotationErrorCode> {
  override readonly name = 'NotationError';
}

/**
 * Machine-readable causes of an invalid space, sample or sampling option.
 *
 * - `space-shape`, `space-bounds`, `space-count` (number of values), `space-members` (of a `Dict` or
 *   `Tuple`): invalid arguments of a space's constructor;
 * - `space-syntax`: JSON that is not a space; `space-kind`: an unknown kind of space;
 * - `sample-outside`: a value that is not in the space; `sample-syntax`: JSON that is not samples of it;
 *   `sample-flat`: numbers that are not a flattened sample;
 * - `sample-options`: a malformed mask, list or weights; `sample-none-allowed`: options that allow no value;
 * - `random-state`: an invalid seed or stored state of a random stream, also of `createRng`; `random-bound`: an invalid
 *   bound of a random integer.
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
  | 'random-state'
  | 'random-bound';

/**
 * Thrown by `env/spaces/`, `createRng` and its streams; the message contains the path in nested spaces, such as
 * `observation[17]`.
 */
export class SpaceError extends CodedError<SpaceErrorCode> {
  override readonly name = 'SpaceError';
}

/** Thrown when time is spent in a game without clocks, or is not a finite number of seconds >= 0. */
export class ClockError extends CodedError<'no-clock' | 'seconds-range'> {
  override readonly name = 'ClockError';
}

/**
 * Machine-readable causes of an invalid use of an environment.
 *
 * - `reset-needed`: a call before the episode began, or after all agents left it;
 * - `agent-unknown`: not an agent of this environment; `reset-options`: unknown options of `reset`, or a position or
 *   moves that are no text; `step-options`: unknown options of `step`; `seed-range`: a seed out of range;
 * - `state-mismatch`: a saved state that this environment cannot restore;
 * - `env-id`: a malformed id; `env-unknown`, `env-exists`: an id that is not, or is already, registered;
 * - `kwargs`: invalid kwargs; `opponent`: an unknown opponent, or one that chose an illegal action;
 * - `no-spec`: an environment that was not made by `make`; `spec-syntax`: JSON that is not a spec;
 *   `rules-mismatch`: a spec whose rules differ from the installed ones; `wrapper-unknown`: a spec with an
 *   unknown wrapper;
 * - `env-closed`: a call after `close`;
 * - `wrapper-options`: invalid options of a wrapper; `wrapper-target`: an environment that the wrapper does
 *   not support; `wrapper-function`: a wrapper with a function among its options, which JSON cannot hold;
 * - `vector-options`: invalid options of a vector or arguments of its calls; `worker-died`: a process of a
 *   vector ended.
 */
export type EnvErrorCode =
  | 'reset-needed'
  | 'agent-unknown'
  | 'reset-options'
  | 'step-options'
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
 * Faults of an environment that `passiveChecker` finds, by what is wrong: the observation, its mask, a
 * reward, a flag (terminated or truncated), an info, its legal actions, the properties of agents, a `last`
 * that differs from those properties, a rendering, or arrays that are reused.
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

/** Thrown by `passiveChecker`: the fault is the environment's, not the caller's. */
export class CheckError extends CodedError<CheckErrorCode> {
  override readonly name = 'CheckError';
  override readonly exitCode = 1;
}

/**
 * Thrown by a vector for an error in one of its environments. `code` is that error's code, or `failed` for an
 * error without a code, which is a defect of the environment. `cause` is that error; an error from a process
 * is rebuilt from its name, message and stack.
 */
export class SubEnvironmentError extends CodedError {
  override readonly name = 'SubEnvironmentError';
  override readonly exitCode = 1;
  /** Index of the environment, from 0. */
  readonly index: number;

  constructor(index: number, cause: Error) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'failed';
    super(code, `environment ${index}: ${cause.message}`, { cause });
    this.index = index;
  }
}

/** Thrown by environments and replays for an illegal action; the state is unchanged. */
export class IllegalActionError extends CodedError<'illegal-action' | 'game-over'> {
  override readonly name = 'IllegalActionError';
}
