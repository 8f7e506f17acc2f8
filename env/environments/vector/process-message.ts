import {
  CheckError,
  type CheckErrorCode,
  EnvError,
  type EnvErrorCode,
  IllegalActionError,
  NotationError,
  type NotationErrorCode,
  SpaceError,
  type SpaceErrorCode,
} from '../../errors.js';
import type { SpaceJson } from '../../spaces/space.js';
import type { EnvSpec } from '../env-spec.js';
import type { EnvMetadata, EnvState } from '../environment.js';
import type { EnvKwargs } from '../make.js';
import type { VectorKwargs } from './make-vec.js';
import type { Order, Told } from './sub-environments.js';

/** What a process is asked, one after another, `make` first. */
export type Request =
  | {
      readonly kind: 'make';
      readonly id: string;
      readonly kwargs: EnvKwargs & VectorKwargs;
      readonly modules: readonly string[];
    }
  | { readonly kind: 'follow'; readonly orders: readonly Order[] }
  | { readonly kind: 'render' }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'save' }
  | { readonly kind: 'restore'; readonly states: readonly EnvState[] }
  | { readonly kind: 'undo-restore' }
  | { readonly kind: 'close' };

/** What a process says of the environments that it has made. */
export interface Made {
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly observationSpace: SpaceJson;
  readonly actionSpace: SpaceJson;
}

/** An error as it goes from one process to another. */
export interface PackedError {
  readonly name: string;
  readonly message: string;
  /** Null for one that has none: a defect. */
  readonly code: string | null;
  readonly stack: string | null;
}

/** As `Failure`, from a process. */
export interface PackedFailure {
  readonly index: number;
  readonly error: PackedError;
}

/** What a process answers to each request. */
export type Reply<Value = unknown> =
  { readonly value: Value; readonly failures: readonly PackedFailure[] } | { readonly error: PackedError };

/** What is answered to `follow`; observations are what `sparseBatch` makes of them. */
export type FollowValue = Omit<Told<unknown>, 'failures'>;

/** What `unpackError` makes an error of the same class, code and message from. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), code: null, stack: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { name: error.name, message: error.message, code, stack: error.stack ?? null };
}

/** The error of another process; one of a class that is not known here is an `Error` with its name and code. */
export function unpackError({ name, message, code, stack }: PackedError): Error {
  switch (name) {
    case 'CheckError':
      return new CheckError(code as CheckErrorCode, message);
    case 'EnvError':
      return new EnvError(code as EnvErrorCode, message);
    case 'IllegalActionError':
      return new IllegalActionError(code as 'illegal-action' | 'game-over', message);
    case 'NotationError':
      return new NotationError(code as NotationErrorCode, message);
    case 'SpaceError':
      return new SpaceError(code as SpaceErrorCode, message);
    default:
      return Object.assign(new Error(message), { name, ...(code && { code }), ...(stack && { stack }) });
  }
}
