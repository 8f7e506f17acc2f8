// Results of environments in memory that several threads share.
import type { NumberArray } from '../../spaces/dtype.js';
import { FINAL_OBSERVATION } from './batched-infos.js';
import type { ChangeField } from './packed-infos.js';

/** Maximum number of legal actions of an environment in shared memory; a longer list is sent. */
const MAX_SHARED_ACTIONS = 4096;

/** Results of `n` environments that their threads write and the vector reads. */
export interface SharedResults {
  /** `[n, …]` observations: a `Batch`. */
  readonly observations: unknown;
  /** `[n, …]` the last observations of episodes, if environments are reset at once. */
  readonly finals: unknown;
  /** `[n, capacity]` legal actions of each environment, at the front. */
  readonly legalActions: Int32Array;
  /** `[n]` the number of these; -1 if the list is sent instead. */
  readonly legalCounts: Int32Array;
}

/** The sizes of shared memory. */
export interface SharedSizes {
  /** A batch of one observation, whose arrays have the types of the shared ones. */
  readonly one: unknown;
  /** Number of environments. */
  readonly count: number;
  readonly numActions: number;
  readonly resetsAtOnce: boolean;
}

/** The arrays of a batch: `change` is called with each of them. */
function mapArrays(batch: unknown, change: (array: NumberArray) => NumberArray): unknown {
  if (ArrayBuffer.isView(batch)) return change(batch as NumberArray);
  if (Array.isArray(batch)) return batch.map((member) => mapArrays(member, change));
  return Object.fromEntries(
    Object.entries(batch as object).map(([key, member]) => [key, mapArrays(member, change)]),
  );
}

/**
 * Empty results of environments in shared memory.
 *
 * @throws RangeError if there is not enough memory.
 */
export function createSharedResults({ one, count, numActions, resetsAtOnce }: SharedSizes): SharedResults {
  const capacity = Math.min(numActions, MAX_SHARED_ACTIONS);
  const shared = (length: number): Int32Array =>
    new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
  const sharedBatch = (): unknown =>
    mapArrays(one, (array) => {
      const Own = array.constructor as new (buffer: SharedArrayBuffer) => NumberArray;
      return new Own(new SharedArrayBuffer(array.byteLength * count));
    });
  return {
    observations: sharedBatch(),
    finals: resetsAtOnce ? sharedBatch() : undefined,
    legalActions: shared(count * capacity),
    legalCounts: shared(count).fill(-1),
  };
}

/** Views of the results of `count` of the `total` environments, from index `first` on. */
export function partOfResults(
  { observations, finals, legalActions, legalCounts }: SharedResults,
  { first, count }: { readonly first: number; readonly count: number },
): SharedResults {
  const total = legalCounts.length;
  const part = (array: NumberArray): NumberArray => {
    const each = array.length / total;
    return array.subarray(first * each, (first + count) * each);
  };
  return {
    observations: mapArrays(observations, part),
    finals: finals === undefined ? undefined : mapArrays(finals, part),
    legalActions: part(legalActions) as Int32Array,
    legalCounts: part(legalCounts) as Int32Array,
  };
}

/** Moves lists of legal actions to shared memory, and leaves out final observations, which are there already. */
export function storeFields({ legalActions, legalCounts }: SharedResults): ChangeField {
  const capacity = legalActions.length / legalCounts.length;
  legalCounts.fill(-1);
  return (value, name, index) => {
    if (name === FINAL_OBSERVATION) return null;
    if (name !== 'legalActions' || !(value instanceof Int32Array) || value.length > capacity) return value;
    legalActions.set(value, index * capacity);
    legalCounts[index] = value.length;
    return null;
  };
}

/**
 * Restores fields that `storeFields` changed. Lists of legal actions are views of shared memory.
 *
 * @param first the first environment of the thread
 * @param finalOf the final observation of an environment
 */
export function loadFields(
  { legalActions, legalCounts }: SharedResults,
  first: number,
  finalOf: (index: number) => unknown,
): ChangeField {
  const capacity = legalActions.length / legalCounts.length;
  return (value, name, index) => {
    if (name === FINAL_OBSERVATION) return finalOf(first + index);
    const count = name === 'legalActions' ? legalCounts[first + index]! : -1;
    if (count === -1) return value;
    const start = (first + index) * capacity;
    return legalActions.subarray(start, start + count);
  };
}
