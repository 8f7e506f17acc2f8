// Results of environments in memory that several threads share.
import type { NumberArray } from '../../spaces/dtype.js';
import type { Info } from '../environment.js';

/** Maximum number of legal actions of an environment in shared memory; a longer list is sent. */
const MAX_SHARED_ACTIONS = 4096;

/** Results of `n` environments that their threads write and the vector reads. */
export interface SharedResults {
  /** `[n, …]` observations: a `Batch`. */
  readonly observations: unknown;
  /** `[n, capacity]` legal actions of each environment, at the front. */
  readonly legalActions: Int32Array;
  /** `[n]` the number of these; -1 if the list is sent instead. */
  readonly legalCounts: Int32Array;
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
 * Empty results of `count` environments in shared memory.
 *
 * @param one a batch of one observation; the arrays are of its types.
 * @throws RangeError if there is not enough memory.
 */
export function createSharedResults(one: unknown, count: number, numActions: number): SharedResults {
  const capacity = Math.min(numActions, MAX_SHARED_ACTIONS);
  const shared = (length: number): Int32Array =>
    new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
  return {
    observations: mapArrays(one, (array) => {
      const Own = array.constructor as new (buffer: SharedArrayBuffer) => NumberArray;
      return new Own(new SharedArrayBuffer(array.byteLength * count));
    }),
    legalActions: shared(count * capacity),
    legalCounts: shared(count).fill(-1),
  };
}

/** Views of the results of `count` of the `total` environments, from index `first` on. */
export function partOfResults(
  { observations, legalActions, legalCounts }: SharedResults,
  { first, count }: { readonly first: number; readonly count: number },
): SharedResults {
  const total = legalCounts.length;
  const part = (array: NumberArray): NumberArray => {
    const each = array.length / total;
    return array.subarray(first * each, (first + count) * each);
  };
  return {
    observations: mapArrays(observations, part),
    legalActions: part(legalActions) as Int32Array,
    legalCounts: part(legalCounts) as Int32Array,
  };
}

/** Moves the lists of legal actions of `infos` to shared memory; returns the infos without them. */
export function storeActions(
  infos: readonly (Info | null)[],
  { legalActions, legalCounts }: SharedResults,
): readonly (Info | null)[] {
  const capacity = legalActions.length / legalCounts.length;
  return infos.map((info, index) => {
    const own: unknown = info?.legalActions;
    const fits = own instanceof Int32Array && own.length <= capacity;
    legalCounts[index] = fits ? own.length : -1;
    if (!fits) return info;
    legalActions.set(own, index * capacity);
    return { ...info, legalActions: EMPTY } as unknown as Info;
  });
}

const EMPTY = new Int32Array(0);

/** The infos with their lists of legal actions, which are views of shared memory. */
export function loadActions(
  infos: readonly (Info | null)[],
  { legalActions, legalCounts }: SharedResults,
): readonly (Info | null)[] {
  const capacity = legalActions.length / legalCounts.length;
  return infos.map((info, index) => {
    const count = legalCounts[index]!;
    if (info === null || count < 0) return info;
    const start = index * capacity;
    return { ...info, legalActions: legalActions.subarray(start, start + count) };
  });
}
