import type * as z from 'zod';
import { SpaceError } from '../errors.js';
import type { Rng } from '../random.js';
import { drawExponential, drawNormal } from './random-samples.js';
import type { ArrayOf, Dtype, NumberArray } from './dtype.js';
import { createArray, DTYPE_NAMES, DTYPES } from './dtype.js';
import type { JsonNumber } from './sample-json.js';
import { encodeNumber, nestNumbers, readBatch, readNestedNumbers } from './sample-json.js';
import { checkShape, isList, sizeOfShape } from './shape.js';
import type { Space, SpaceJson } from './space.js';
import { assertContains, equalSpaces, sampleSchema } from './space.js';
import type { PathPart, Violation } from './violation.js';
import { describeValue } from '../text/described-value.js';

/** One bound for all elements, or one for each, flat. */
export type Bound = number | readonly number[];

const NONE = -1;

/**
 * Arrays of numbers, each within its own closed interval, like Gymnasium's `Box`. A sample is one flat typed
 * array in row-major order, whatever the shape.
 *
 * ```ts
 * new Box(0, 1, [20, 20, 24]); // Float32Array of 9600
 * new Box(-Infinity, Infinity, [3], 'float64');
 * new Box([0, -1], [1, 1]); // shape [2]
 * ```
 *
 * An element is sampled uniformly between two finite bounds, exponentially from one, and normally without
 * any; integers are rounded as in Gymnasium and clipped to the type.
 *
 * Unlike Gymnasium: an absent bound of a signed integer type stays infinite in `low` and `high`; bounds of
 * integers must be integers; NaN is never contained; two boxes of different types are not equal.
 */
export class Box<D extends Dtype = 'float32'> implements Space<ArrayOf<D>, undefined> {
  /** The name of the class, also in JSON. */
  readonly kind = 'Box';
  /** The lengths of the axes; `[]` for a single number. */
  readonly shape: readonly number[];
  /** Number of elements of a sample: the product of `shape`. */
  readonly size: number;
  /** The type of the elements. */
  readonly dtype: D;
  /** The lower bounds, in the precision of the type; one number if they are all equal. */
  readonly low: Bound;
  /** The upper bounds, as `low`. */
  readonly high: Bound;
  readonly schema: z.ZodType<ArrayOf<D>>;
  /** `[1]` if all are equal, else `[size]`. */
  private readonly lows: Float64Array;
  private readonly highs: Float64Array;

  /**
   * @param low the lower bound of all elements, or of each; `-Infinity` for none.
   * @param high the upper bound, as `low`; `Infinity` for none.
   * @param shape defaults to `[n]` for lists of `n` bounds, `[1]` for two numbers.
   * @param dtype defaults to `float32`.
   * @throws SpaceError `space-shape`, `space-bounds` (not a number, low above high, an unknown type, or outside the
   * type; unsigned integers cannot be unbounded).
   */
  constructor(low: Bound, high: Bound, shape?: readonly number[], dtype: D = 'float32' as D) {
    if (!Object.hasOwn(DTYPES, dtype)) {
      const expected = DTYPE_NAMES.join(', ');
      throw new SpaceError('space-bounds', `expected a dtype of ${expected}, got ${describeValue(dtype)}`);
    }
    for (const bound of [low, high]) {
      if (typeof bound === 'number' || isList(bound)) continue;
      throw new SpaceError('space-bounds', `expected a bound or a list of them, got ${describeValue(bound)}`);
    }
    this.shape = checkShape(shape ?? [lengthOf(low) ?? lengthOf(high) ?? 1]);
    this.size = sizeOfShape(this.shape);
    this.dtype = dtype;
    this.lows = readBounds(low, -Infinity, this);
    this.highs = readBounds(high, Infinity, this);
    this.low = publicBound(this.lows);
    this.high = publicBound(this.highs);
    const pairs = Math.max(this.lows.length, this.highs.length);
    for (let index = 0; index < pairs; index++) {
      if (this.lowAt(index) <= this.highAt(index)) continue;
      const found = `${this.lowAt(index)} above ${this.highAt(index)} at [${index}]`;
      throw new SpaceError('space-bounds', `expected low bounds up to the high ones, got ${found}`);
    }
    this.schema = sampleSchema((value) => this.violation(value));
  }

  /** The lower bound of element `index` of the flat array. */
  lowAt(index: number): number {
    return this.lows[this.lows.length === 1 ? 0 : index]!;
  }

  /** The upper bound of element `index` of the flat array. */
  highAt(index: number): number {
    return this.highs[this.highs.length === 1 ? 0 : index]!;
  }

  /** Whether every element has a finite bound on that side. */
  isBounded(manner: 'below' | 'above' | 'both' = 'both'): boolean {
    const below = this.lows.every((bound) => bound !== -Infinity);
    const above = this.highs.every((bound) => bound !== Infinity);
    return (manner === 'above' || below) && (manner === 'below' || above);
  }

  contains(value: unknown): value is ArrayOf<D> {
    return this.violation(value) === null;
  }

  violation(value: unknown): Violation | null {
    const { array } = DTYPES[this.dtype];
    if (!(value instanceof array) || value.length !== this.size) {
      return { path: [], expected: `a ${array.name} of ${this.size}`, found: describeValue(value) };
    }
    const index = this.firstOutside(value);
    if (index === NONE) return null;
    const expected = `a number ${this.lowAt(index)} to ${this.highAt(index)}`;
    return { path: [index], expected, found: describeValue(value[index]) };
  }

  /** Takes no options; as in Gymnasium, boxes have no masks. */
  sample(rng: Rng, options?: undefined): ArrayOf<D> {
    // Untyped callers could pass a mask, which must not be ignored.
    const given: unknown = options;
    if (given !== undefined) {
      const found = describeValue(given);
      throw new SpaceError('sample-options', `expected no options for the sample of a Box, got ${found}`);
    }
    const out = createArray(this.dtype, this.size);
    const { min, max, isInteger } = DTYPES[this.dtype];
    for (let index = 0; index < this.size; index++) {
      const low = this.lowAt(index);
      const high = this.highAt(index);
      const drawn = isInteger ? drawInteger(rng, low, high) : drawFloat(rng, low, high);
      out[index] = Math.min(Math.max(drawn, low, min), high, max);
    }
    return out;
  }

  equals(other: Space): boolean {
    return equalSpaces(this, other);
  }

  toJSON(): SpaceJson {
    return {
      kind: this.kind,
      low: encodeBound(this.low),
      high: encodeBound(this.high),
      shape: this.shape,
      dtype: this.dtype,
    };
  }

  toJsonable(samples: readonly ArrayOf<D>[], path: readonly PathPart[] = []): unknown {
    return samples.map((sample, index) => {
      assertContains(this, sample, [...path, index]);
      return nestNumbers(sample, this.shape);
    });
  }

  fromJsonable(json: unknown, path: readonly PathPart[] = []): ArrayOf<D>[] {
    const { isInteger } = DTYPES[this.dtype];
    return readBatch(json, path).map((item, index) => {
      const out = createArray(this.dtype, this.size);
      readNestedNumbers(item, { shape: this.shape, out, isInteger }, [...path, index]);
      assertContains(this, out, [...path, index]);
      return out;
    });
  }

  toString(): string {
    const [low, high] = [showBound(this.low), showBound(this.high)];
    return `Box(${low}, ${high}, [${this.shape.join(', ')}], ${this.dtype})`;
  }

  private firstOutside(value: NumberArray): number {
    const { lows, highs, size } = this;
    // A stride of 0 reads the single bound for every element. Comparisons with NaN are false.
    const lowStride = lows.length === 1 ? 0 : 1;
    const highStride = highs.length === 1 ? 0 : 1;
    for (let index = 0; index < size; index++) {
      const element = value[index]!;
      if (!(element >= lows[index * lowStride]! && element <= highs[index * highStride]!)) return index;
    }
    return NONE;
  }
}

function drawFloat(rng: Rng, low: number, high: number): number {
  if (low === -Infinity && high === Infinity) return drawNormal(rng);
  if (high === Infinity) return low + drawExponential(rng);
  if (low === -Infinity) return high - drawExponential(rng);
  // Not low + share * (high - low), as the difference may overflow.
  const share = rng.float();
  return low * (1 - share) + high * share;
}

function drawInteger(rng: Rng, low: number, high: number): number {
  if (low === -Infinity && high === Infinity) return Math.floor(drawNormal(rng));
  if (high === Infinity) return low + Math.floor(drawExponential(rng));
  if (low === -Infinity) return high - Math.floor(drawExponential(rng));
  return low + Math.floor(rng.float() * (high - low + 1));
}

function lengthOf(bound: Bound): number | undefined {
  return typeof bound === 'number' ? undefined : bound.length;
}

interface BoundedArrays {
  readonly size: number;
  readonly dtype: Dtype;
}

/** Bounds in the precision of the type: `[1]` if they are all equal, else `[size]`. */
function readBounds(bound: Bound, none: number, { size, dtype }: BoundedArrays): Float64Array {
  const given = typeof bound === 'number' ? [bound] : bound;
  if (typeof bound !== 'number' && given.length !== size) {
    throw new SpaceError('space-bounds', `expected one bound or ${size}, got ${given.length}`);
  }
  const bounds = Float64Array.from(given, (value, index) => readBound(value, none, { dtype, index }));
  return bounds.every((value) => value === bounds[0]) ? bounds.slice(0, 1) : bounds;
}

function readBound(value: number, none: number, where: { dtype: Dtype; index: number }): number {
  const { array, min, max, isInteger } = DTYPES[where.dtype];
  const isUnbounded = value === none && min !== 0;
  const isWithinType = value >= min && value <= max && (!isInteger || Number.isInteger(value));
  if (!isUnbounded && !isWithinType) {
    const kind = isInteger ? 'an integer' : 'a number';
    const orNone = min === 0 ? '' : ` or ${none}`;
    const found = describeValue(value);
    throw new SpaceError(
      'space-bounds',
      `expected a bound, ${kind} ${min} to ${max}${orNone} for ${where.dtype}, got ${found} at [${where.index}]`,
    );
  }
  if (isUnbounded) return none;
  // Normalises -0, which JSON would distinguish from 0.
  return (array === Float32Array ? Math.fround(value) : value) + 0;
}

function publicBound(bounds: Float64Array): Bound {
  return bounds.length === 1 ? bounds[0]! : Object.freeze([...bounds]);
}

function encodeBound(bound: Bound): JsonNumber | JsonNumber[] {
  return typeof bound === 'number' ? encodeNumber(bound) : bound.map(encodeNumber);
}

const MAX_SHOWN_BOUNDS = 6;

function showBound(bound: Bound): string {
  if (typeof bound === 'number') return String(bound);
  const shown = bound.slice(0, MAX_SHOWN_BOUNDS).join(', ');
  return bound.length > MAX_SHOWN_BOUNDS ? `[${shown}, …]` : `[${shown}]`;
}
