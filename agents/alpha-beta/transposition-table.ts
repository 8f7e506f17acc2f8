/** What a stored value says: it is the value, at least it, at most it. */
export const EXACT = 0;
/** The value is at least the stored one. */
export const LOWER = 1;
/** The value is at most the stored one. */
export const UPPER = 2;
/** What a stored value says. */
export type Bound = typeof EXACT | typeof LOWER | typeof UPPER;

/** In place of an entry where a key has none. */
export const NOT_FOUND = -1;
/** In place of an action where none is stored. */
export const NO_ACTION = -1;
/** The key of an empty entry; hashes are not negative. */
const EMPTY = -1;
/** Entries that a key may be at, side by side. */
const BUCKET = 2;

/** What a search of one position found. */
export interface SearchedValue {
  /** Plies, 1..127. */
  readonly depth: number;
  readonly bound: Bound;
  /** To the player to move. */
  readonly value: number;
  /** The best action, or `NO_ACTION`. */
  readonly action: number;
}

/**
 * What a search found out of positions it may meet again, as flat arrays of `size` entries. A key's bucket
 * has one place for the deepest search and one for the latest.
 */
export class TranspositionTable {
  /** `[size]` 53-bit hashes, or `EMPTY`. */
  private readonly keys: Float64Array;
  private readonly values: Int32Array;
  private readonly depths: Int8Array;
  private readonly bounds: Uint8Array;
  private readonly actions: Int32Array;
  private readonly buckets: number;

  /** @param size entries, a power of two, at least 2; or 0 to keep nothing. An entry takes 18 bytes. */
  constructor(size: number) {
    this.keys = new Float64Array(size).fill(EMPTY);
    this.values = new Int32Array(size);
    this.depths = new Int8Array(size);
    this.bounds = new Uint8Array(size);
    this.actions = new Int32Array(size);
    this.buckets = size / BUCKET;
  }

  /** Forgets everything. */
  clear(): void {
    this.keys.fill(EMPTY);
  }

  /** The entry of `key`, or `NOT_FOUND`. Valid until the next `store`. */
  find(key: number): number {
    if (this.buckets === 0) return NOT_FOUND;
    const first = (key % this.buckets) * BUCKET;
    if (this.keys[first] === key) return first;
    return this.keys[first + 1] === key ? first + 1 : NOT_FOUND;
  }

  /** To the player to move. */
  valueOf(entry: number): number {
    return this.values[entry]!;
  }

  /** Plies of the search that found it. */
  depthOf(entry: number): number {
    return this.depths[entry]!;
  }

  /** What the value says. */
  boundOf(entry: number): Bound {
    return this.bounds[entry] as Bound;
  }

  /** The best action found, or `NO_ACTION`. */
  actionOf(entry: number): number {
    return this.actions[entry]!;
  }

  /** Keeps the result of a search; in a bucket whose first place holds a deeper one, in the second. */
  store(key: number, result: SearchedValue): void {
    if (this.buckets === 0) return;
    const first = (key % this.buckets) * BUCKET;
    const keepsDeeper =
      this.keys[first] !== key && this.keys[first] !== EMPTY && this.depths[first]! > result.depth;
    const entry = keepsDeeper ? first + 1 : first;
    this.keys[entry] = key;
    this.depths[entry] = result.depth;
    this.bounds[entry] = result.bound;
    this.values[entry] = result.value;
    this.actions[entry] = result.action;
  }
}
