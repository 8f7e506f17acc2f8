import type * as z from 'zod';
import { SpaceError } from '../errors.js';
import type { Rng } from '../random.js';
import { drawWeighted } from './distributions.js';
import { countOnes, findOutside, indexOfOne } from './mask.js';
import { readBatch, syntaxError } from './sample-json.js';
import type { Space, SpaceJson } from './space.js';
import { assertContains, equalSpaces, sampleSchema } from './space.js';
import type { PathPart, Violation } from './violation.js';
import { describeValue } from '../text/described-value.js';

/** The allowed elements of a `Discrete` and their weights. `mask` and `legalActions` are exclusive. */
export interface DiscreteSampling {
  /** `[n]` 1 if the element `start + index` is allowed, else 0. Costs `O(n)`. */
  readonly mask?: Uint8Array | undefined;
  /**
   * The allowed elements, without repetition. Costs `O(1)`, with weights `O(legalActions)`. In ascending
   * order, they give the same samples as the equal `mask`.
   */
  readonly legalActions?: ArrayLike<number> | undefined;
  /**
   * Relative weights, 0 or more: one for each of `legalActions`, or else `[n]`. They need not sum to 1, so
   * probabilities, visits and unmasked policies all work.
   */
  readonly weights?: ArrayLike<number> | undefined;
}

const MAX_COUNT = 2 ** 31;

/**
 * The integers `start`, …, `start + n - 1`, like Gymnasium's `Discrete`.
 *
 * ```ts
 * const actions = new Discrete(57600);
 * actions.sample(rng, { legalActions }); // O(1), whatever n is
 * ```
 *
 * Unlike Gymnasium: if nothing is allowed, `sample` throws instead of returning `start`, an illegal action;
 * mask and weights can be combined; weights need not sum to 1.
 */
export class Discrete implements Space<number, DiscreteSampling> {
  /** The name of the class, also in JSON. */
  readonly kind = 'Discrete';
  /** Number of elements. */
  readonly n: number;
  /** The smallest element. */
  readonly start: number;
  readonly schema: z.ZodType<number>;

  /**
   * @param n 1 to 2^31.
   * @param start any integer for which all elements are safe integers. Defaults to 0.
   * @throws SpaceError `space-count`.
   */
  constructor(n: number, start = 0) {
    if (!Number.isInteger(n) || n < 1 || n > MAX_COUNT) {
      throw new SpaceError('space-count', `expected 1 to ${MAX_COUNT} elements, got ${describeValue(n)}`);
    }
    if (!Number.isSafeInteger(start) || start > Number.MAX_SAFE_INTEGER - (n - 1)) {
      const found = describeValue(start);
      throw new SpaceError(
        'space-count',
        `expected a start for which all elements are integers, got ${found}`,
      );
    }
    this.n = n;
    this.start = start + 0;
    this.schema = sampleSchema((value) => this.violation(value));
  }

  contains(value: unknown): value is number {
    return Number.isInteger(value) && this.isWithin(value as number);
  }

  violation(value: unknown): Violation | null {
    if (this.contains(value)) return null;
    const expected = `an integer ${this.start} to ${this.start + this.n - 1}`;
    return { path: [], expected, found: describeValue(value) };
  }

  sample(rng: Rng, { mask, legalActions, weights }: DiscreteSampling = {}): number {
    if (legalActions !== undefined) {
      if (mask === undefined) return this.sampleListed(rng, legalActions, weights);
      throw new SpaceError('sample-options', 'expected one of mask and legalActions, got both');
    }
    const count = mask === undefined ? this.n : this.countAllowed(mask);
    if (weights !== undefined) {
      checkLength('weights', weights, this.n);
      return this.start + drawWeighted(rng, weights, mask);
    }
    const drawn = rng.integer(count);
    return this.start + (mask === undefined ? drawn : indexOfOne(mask, drawn));
  }

  equals(other: Space): boolean {
    return equalSpaces(this, other);
  }

  toJSON(): SpaceJson {
    return { kind: this.kind, n: this.n, start: this.start };
  }

  toJsonable(samples: readonly number[], path: readonly PathPart[] = []): unknown {
    // + 0 normalises -0, which JSON does not have.
    return samples.map((sample, index) => {
      assertContains(this, sample, [...path, index]);
      return sample + 0;
    });
  }

  fromJsonable(json: unknown, path: readonly PathPart[] = []): number[] {
    return readBatch(json, path).map((item, index) => {
      const place = [...path, index];
      if (typeof item !== 'number') throw syntaxError('an integer', item, place);
      assertContains(this, item, place);
      return item;
    });
  }

  toString(): string {
    return this.start === 0 ? `Discrete(${this.n})` : `Discrete(${this.n}, start=${this.start})`;
  }

  private isWithin(value: number): boolean {
    return value >= this.start && value < this.start + this.n;
  }

  /** The number of elements that the mask allows. */
  private countAllowed(mask: Uint8Array): number {
    checkLength('mask', mask, this.n);
    const count = countOnes(mask);
    if (count === -1) {
      const index = findOutside(mask);
      throw new SpaceError('sample-options', `expected a mask of 0 and 1, got ${mask[index]} at [${index}]`);
    }
    if (count === 0) throw noneAllowed();
    return count;
  }

  /** Checks only the sampled element; checking all would cost what the list saves. */
  private sampleListed(rng: Rng, elements: ArrayLike<number>, weights?: ArrayLike<number>): number {
    if (elements.length === 0) throw noneAllowed();
    if (weights !== undefined) checkLength('weights', weights, elements.length);
    const index = weights === undefined ? rng.integer(elements.length) : drawWeighted(rng, weights);
    const element = elements[index];
    if (this.contains(element)) return element;
    const last = this.start + this.n - 1;
    const found = `${describeValue(element)} at [${index}]`;
    throw new SpaceError('sample-options', `expected legalActions ${this.start} to ${last}, got ${found}`);
  }
}

function noneAllowed(): SpaceError {
  return new SpaceError('sample-none-allowed', 'expected an allowed element, got none');
}

function checkLength(name: string, list: ArrayLike<number>, length: number): void {
  if (list.length === length) return;
  throw new SpaceError('sample-options', `expected ${name} of length ${length}, got ${list.length}`);
}
