import { CodedError } from '../errors.js';
import { errorText, isError } from '../text/error-text.js';

/** An error as plain JSON, to be sent to another process. */
export interface PackedError {
  readonly name: string;
  readonly message: string;
  /** Null for an error without a code. */
  readonly code: string | null;
  /** The exit code of a `CodedError`; null for other errors, which are defects. */
  readonly exitCode: CodedError['exitCode'] | null;
  readonly stack: string | null;
}

/** A class of errors that `unpackError` can create. */
export type ErrorClass = new (code: never, message: string) => CodedError;

/** A `CodedError` of another process whose class is not known in this one. */
class ForeignError extends CodedError {
  override readonly name: string;
  override readonly exitCode: CodedError['exitCode'];

  constructor(code: string, { name, message, exitCode }: PackedError) {
    super(code, message);
    this.name = name;
    this.exitCode = exitCode ?? 1;
  }
}

/** Packs an error, or any other value that was thrown. */
export function packError(error: unknown): PackedError {
  if (!isError(error)) {
    return { name: 'Error', message: errorText(error), code: null, exitCode: null, stack: null };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const exitCode = error instanceof CodedError ? error.exitCode : null;
  return { name: error.name, message: error.message, code, exitCode, stack: error.stack ?? null };
}

/**
 * The error that was packed.
 *
 * @param classes those that the error may have. Other coded errors become a `CodedError` with their name and code; all
 *   else becomes an `Error` with its name, its code and the stack of the other process.
 */
export function unpackError(packed: PackedError, classes: readonly ErrorClass[]): Error {
  const { name, message, code, exitCode, stack } = packed;
  if (code !== null && exitCode !== null) {
    const Own = classes.find((each) => each.name === name);
    return Own === undefined ? new ForeignError(code, packed) : new Own(code as never, message);
  }
  return Object.assign(new Error(message), {
    name,
    ...(code !== null && { code }),
    ...(stack !== null && { stack }),
  });
}
