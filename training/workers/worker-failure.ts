import { AgentError, type AgentErrorCode } from '../../agents/agent-error.js';
import { DataError, type DataErrorCode } from '../../data/data-error.js';
import { CodedError, NotationError, type NotationErrorCode } from '../../env/errors.js';
import { TrainingError, type TrainingErrorCode } from '../training-error.js';

/** An error as JSON. */
export interface PackedFailure {
  readonly name: string;
  readonly message: string;
  /** Null for an error that is not coded: a defect of the program. */
  readonly code: string | null;
  readonly stack: string | null;
}

/** What a process of the pool answers to a job. */
export type WorkerAnswer<Result> = { readonly result: Result } | { readonly failure: PackedFailure };

/** The error as JSON, to be sent to the process that asked. */
export function packFailure(error: unknown): PackedFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), code: null, stack: null };
  const code = error instanceof CodedError ? String(error.code) : null;
  return { name: error.name, message: error.message, code, stack: error.stack ?? null };
}

/** The error that `packFailure` was given, of the same class and code. */
export function unpackFailure(failure: PackedFailure): Error {
  const { name, message, code, stack } = failure;
  switch (name) {
    case 'AgentError':
      return new AgentError(code as AgentErrorCode, message);
    case 'DataError':
      return new DataError(code as DataErrorCode, message);
    case 'NotationError':
      return new NotationError(code as NotationErrorCode, message);
    case 'TrainingError':
      return new TrainingError(code as TrainingErrorCode, message);
    default: {
      const error = new Error(message);
      if (stack !== null) error.stack = stack;
      return error;
    }
  }
}
