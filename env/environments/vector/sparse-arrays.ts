import type { NumberArray } from '../../spaces/dtype.js';

/** The non-zero 32-bit words of an array: masks and planes are mostly zeros, and slow to send. */
export interface SparseArray {
  readonly kind: 'sparse';
  /** Number of words, zeros included. */
  readonly numWords: number;
  /** `[n]` indices of the non-zero words, ascending. */
  readonly indices: Uint32Array;
  /** `[n]` the non-zero words. */
  readonly words: Uint32Array;
}

const WORD_BYTES = 4;

/**
 * Replaces arrays of mostly zeros in a batch by `SparseArray`s; other arrays stay the same objects.
 *
 * @param batch arrays, or objects or lists of arrays.
 */
export function sparseBatch(batch: unknown): unknown {
  if (ArrayBuffer.isView(batch)) return sparseArray(batch as NumberArray);
  if (Array.isArray(batch)) return batch.map(sparseBatch);
  return Object.fromEntries(
    Object.entries(batch as object).map(([key, member]) => [key, sparseBatch(member)]),
  );
}

function sparseArray(array: NumberArray): NumberArray | SparseArray {
  if (array.byteLength % WORD_BYTES !== 0 || array.byteOffset % WORD_BYTES !== 0) return array;
  const words = wordsOf(array);
  let count = 0;
  for (const word of words) if (word !== 0) count += 1;
  // A non-zero word takes two words in the sparse form, which must be shorter.
  if (count > words.length / 2) return array;
  const sparse = {
    kind: 'sparse',
    numWords: words.length,
    indices: new Uint32Array(count),
    words: new Uint32Array(count),
  } as const;
  let next = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word === 0) continue;
    sparse.indices[next] = index;
    sparse.words[next++] = word;
  }
  return sparse;
}

function wordsOf(array: NumberArray): Uint32Array {
  return new Uint32Array(array.buffer, array.byteOffset, array.byteLength / WORD_BYTES);
}

/**
 * Writes the result of `sparseBatch` over a part of a larger batch.
 *
 * @param place the part begins at sample `first` of the `count` samples of `batch`.
 */
export function writeSparseBatch(
  part: unknown,
  batch: unknown,
  place: { readonly first: number; readonly count: number },
): void {
  if (ArrayBuffer.isView(batch)) {
    writeArray(part as NumberArray | SparseArray, batch as NumberArray, place);
    return;
  }
  for (const [key, member] of Object.entries(batch as object)) {
    writeSparseBatch((part as Readonly<Record<string, unknown>>)[key], member, place);
  }
}

function writeArray(
  part: NumberArray | SparseArray,
  array: NumberArray,
  { first, count }: { readonly first: number; readonly count: number },
): void {
  const start = first * (array.length / count);
  if (!('kind' in part)) {
    array.set(part, start);
    return;
  }
  const { indices, words, numWords } = part;
  const byteOffset = array.byteOffset + start * array.BYTES_PER_ELEMENT;
  const isAligned = byteOffset % WORD_BYTES === 0;
  const target = isAligned
    ? new Uint32Array(array.buffer, byteOffset, numWords).fill(0)
    : new Uint32Array(numWords);
  for (let index = 0; index < indices.length; index++) target[indices[index]!] = words[index]!;
  if (isAligned) return;
  const bytes = new Uint8Array(array.buffer, byteOffset, numWords * WORD_BYTES);
  bytes.set(new Uint8Array(target.buffer));
}
