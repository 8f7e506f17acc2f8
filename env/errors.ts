/**
 * What every error of bad input is: text, file, configuration, flag or network message. `code` is what
 * callers and tests match on; the message says what was expected, what was found, and where.
 *
 * Each layer has its own subclass with its own literal codes. The command line prints the message without
 * a stack trace and exits with `exitCode`.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  /** 1: it failed; 2: it was used wrongly. */
  readonly exitCode: 1 | 2 = 2;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Machine-readable causes of a text or setting of `env/` that cannot be used. */
export type NotationErrorCode =
  | 'position-syntax'
  | 'position-size'
  | 'position-turn'
  | 'action-syntax'
  | 'game-unknown'
  | 'rules-unknown'
  | 'request-syntax';

/** Thrown when a text does not describe a position, an action, a game or a set of rules. */
export class NotationError extends CodedError<NotationErrorCode> {
  override readonly name = 'NotationError';
}

/** Thrown by environments and replays for an action that is not legal; the state is as it was. */
export class IllegalActionError extends CodedError<'illegal-action' | 'game-over'> {
  override readonly name = 'IllegalActionError';
}
