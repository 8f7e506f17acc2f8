/** The value is the stored one. */
export const EXACT = 0;
/** The value is at least the stored one. */
export const LOWER = 1;
/** The value is at most the stored one. */
export const UPPER = 2;
/** Meaning of a stored value. */
export type Bound = typeof EXACT | typeof LOWER | typeof UPPER;

/** Stands for a missing entry. */
export const NOT_FOUND = -1;
/** The key of an empty entry; hashes are not negative. */
const EMPTY = -1;
/** Number of adjacent entries in which a key may lie. */
const BUCKET = 4;
/** Greatest number of a search; after it, numbering restarts at 0. */
const MAX_GENERATION = 255;
/** Penalty in plies of entries from earlier searches. */
const AGE_PENALTY = 8;

/** The result of searching one position. */
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
 * Results of searched positions, as flat arrays of `size` entries. In a full bucket the shallowest entry is replaced,
 * those of earlier searches first.
 */
export class TranspositionTable {
  /** `[size]` 53-bit hashes, or `EMPTY`. */
  private readonly keys: Float64Array;
  private readonly values: Int32Array;
  private readonly depths: Int8Array;
  private readonly bounds: Uint8Array;
  private readonly actions: Int32Array;
  /** `[size]` number of the search that stored or last found each entry. */
  private readonly generations: Uint8Array;
  private readonly buckets: number;
  private generation = 0;

  /** @param size entries, a power of two, at least 4; or 0 to store nothing. An entry takes 19 bytes. */
  constructor(size: number) {
    this.keys = new Float64Array(size).fill(EMPTY);
    this.values = new Int32Array(size);
    this.depths = new Int8Array(size);
    this.bounds = new Uint8Array(size);
    this.actions = new Int32Array(size);
    this.generations = new Uint8Array(size);
    this.buckets = size / BUCKET;
  }

  /** Removes all entries. */
  clear(): void {
    this.keys.fill(EMPTY);
  }

  /** Begins another search: all entries so far are old. */
  age(): void {
    this.generation = this.generation === MAX_GENERATION ? 0 : this.generation + 1;
  }

  /** The entry of `key`, or `NOT_FOUND`. Valid until the next `store`. */
  find(key: number): number {
    if (this.buckets === 0) return NOT_FOUND;
    const first = (key % this.buckets) * BUCKET;
    for (let entry = first; entry < first + BUCKET; entry++) {
      if (this.keys[entry] !== key) continue;
      this.generations[entry] = this.generation;
      return entry;
    }
    return NOT_FOUND;
  }

  /** To the player to move. */
  valueOf(entry: number): number {
    return this.values[entry]!;
  }

  /** Depth of the search that found it, in plies. */
  depthOf(entry: number): number {
    return this.depths[entry]!;
  }

  /** Whether the value is exact or a bound. */
  boundOf(entry: number): Bound {
    return this.bounds[entry] as Bound;
  }

  /** The best action found, or `NO_ACTION`. */
  actionOf(entry: number): number {
    return this.actions[entry]!;
  }

  /** The entry for `key`: its own, an empty one, or the least valuable one of the bucket. */
  private placeOf(key: number): number {
    const first = (key % this.buckets) * BUCKET;
    let place = first;
    let least = Infinity;
    for (let entry = first; entry < first + BUCKET; entry++) {
      if (this.keys[entry] === key || this.keys[entry] === EMPTY) return entry;
      const age = this.generations[entry] === this.generation ? 0 : AGE_PENALTY;
      const worth = this.depths[entry]! - age;
      if (worth < least) {
        least = worth;
        place = entry;
      }
    }
    return place;
  }

  /** Stores a result, replacing an older one of the same position. */
  store(key: number, result: SearchedValue): void {
    if (this.buckets === 0) return;
    const entry = this.placeOf(key);
    this.keys[entry] = key;
    this.depths[entry] = result.depth;
    this.bounds[entry] = result.bound;
    this.values[entry] = result.value;
    this.actions[entry] = result.action;
    this.generations[entry] = this.generation;
  }
}
