import { EnvError } from '../../errors.js';
import type { PackedError } from '../../processes/packed-error.js';
import type { SpaceJson } from '../../spaces/space.js';
import { describeValue } from '../../text/described-value.js';
import { errorText } from '../../text/error-text.js';
import type { EnvSpec } from '../env-spec.js';
import type { EnvMetadata, EnvState } from '../environment.js';
import type { EnvKwargs } from '../make.js';
import type { VectorKwargs } from './make-vec.js';
import type { PackedInfos } from './packed-infos.js';
import type { SharedResults } from './shared-batch.js';
import type { Order, OrderResults } from './sub-environments.js';

/** A request to a process of a vector; only `start` and `load` may come before `make`. */
export type Request =
  /** Is answered once the process has started. */
  | { readonly kind: 'start' }
  /** Loads a module, in `loadMs` milliseconds. */
  | { readonly kind: 'load'; readonly url: string; readonly loadMs: number }
  | { readonly kind: 'make'; readonly id: string; readonly kwargs: EnvKwargs & VectorKwargs }
  | { readonly kind: 'share'; readonly results: SharedResults }
  | { readonly kind: 'follow'; readonly orders: readonly PackedOrder[] }
  | { readonly kind: 'render' }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'save' }
  | { readonly kind: 'restore'; readonly states: readonly EnvState[] }
  | { readonly kind: 'undo-restore' }
  | { readonly kind: 'close' };

/** The environments that a process has made: its answer to `make`. */
export interface Made {
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly observationSpace: SpaceJson;
  readonly actionSpace: SpaceJson;
}

/** As `Failure`, with the error packed. */
export interface PackedFailure {
  readonly index: number;
  readonly error: PackedError;
}

/** The answer to a request: a value, and the failures of single environments. */
export interface Reply<Value = unknown> {
  readonly value: Value;
  readonly failures: readonly PackedFailure[];
}

/** The value of the answer to `follow`; observations are in the form of `sparseBatch`, or in shared memory. */
export interface FollowValue extends Omit<OrderResults<unknown>, 'infos' | 'failures'> {
  readonly infos: PackedInfos;
}

/** An order as a message: a step that takes no time is the number of its action. */
export type PackedOrder = Order | number;

/** Orders as messages. */
export function packOrders(orders: readonly Order[]): PackedOrder[] {
  return orders.map((order) => {
    if (order === null || !('action' in order)) return order;
    const { action, seconds } = order;
    if (seconds === undefined && typeof action === 'number') return action;
    return { action: sendable(action), seconds: sendable(seconds) };
  });
}

/** Replaces an object or symbol, which may not be cloneable, by its description; both are refused later. */
function sendable<Value extends number | undefined>(value: Value): Value {
  const given: unknown = value;
  return typeof given === 'symbol' || Object(given) === given ? (describeValue(given) as never) : value;
}

/**
 * Checks that messages can carry a value.
 *
 * @param what a text for the value: `arguments`.
 * @throws EnvError `vector-options`.
 */
export function expectSendable(what: string, value: unknown): void {
  try {
    structuredClone(value);
  } catch (error) {
    const message = `expected ${what} that structuredClone can copy: ${errorText(error)}`;
    throw new EnvError('vector-options', message, { cause: error });
  }
}

/** The error for a module that fails to load, or is late. */
export function unloadable(url: string, cause: unknown): EnvError {
  return new EnvError('vector-options', `cannot load the module ${url}: ${errorText(cause)}`, { cause });
}

/** The orders that were packed. */
export function unpackOrders(orders: readonly PackedOrder[]): Order[] {
  return orders.map((order) => (typeof order === 'number' ? { action: order, seconds: undefined } : order));
}
