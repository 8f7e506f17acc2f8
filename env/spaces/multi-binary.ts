import type * as z from 'zod';
import { SpaceError } from '../errors.js';
import type { Rng } from '../random.js';
import { nestNumbers, readBatch, readNestedNumbers } from './sample-json.js';
import { checkShape, sizeOfShape } from './shape.js';
import type { Space, SpaceJson } from './space.js';
import { assertContains, equalSpaces, sampleSchema } from './space.js';
import type { PathPart, Violation } from './violation.js';
import { describeValue } from '../text/described-value.js';

/** Options for sampling a `MultiBinary`. */
export interface MultiBinarySampling {
  /** `[size]` 0 or 1 fixes an element, 2 samples it. By default all are sampled. */
  readonly mask?: Uint8Array | undefined;
  /** `[size]` the probability of a 1 for sampled elements, 0 to 1. Defaults to 0.5. */
  readonly probabilities?: ArrayLike<number> | undefined;
}

/** The mask's value for a sampled element. */
const DRAWN = 2;

/**
 * Arrays of 0 and 1, like Gymnasium's `MultiBinary`: a mask of legal actions is one. A sample is one flat
 * `Uint8Array`, whatever the shape (Gymnasium: `int8`).
 */
export class MultiBinary implements Space<Uint8Array, MultiBinarySampling> {
  /** The name of the class, also in JSON. */
  readonly kind = 'MultiBinary';
  /** The lengths of the axes. */
  readonly shape: readonly number[];
  /** Number of elements of a sample: the product of `shape`. */
  readonly size: number;
  readonly schema: z.ZodType<Uint8Array>;

  /**
   * @param shape the lengths of the axes, or the length of a single one.
   * @throws SpaceError `space-shape`.
   */
  constructor(shape: number | readonly number[]) {
    this.shape = checkShape(typeof shape === 'number' ? [shape] : shape);
    this.size = sizeOfShape(this.shape);
    this.schema = sampleSchema((value) => this.violation(value));
  }

  contains(value: unknown): value is Uint8Array {
    return this.violation(value) === null;
  }

  violation(value: unknown): Violation | null {
    if (!(value instanceof Uint8Array) || value.length !== this.size) {
      return { path: [], expected: `a Uint8Array of ${this.size}`, found: describeValue(value) };
    }
    for (let index = 0; index < value.length; index++) {
      if (value[index]! > 1) return { path: [index], expected: '0 or 1', found: describeValue(value[index]) };
    }
    return null;
  }

  sample(rng: Rng, { mask, probabilities }: MultiBinarySampling = {}): Uint8Array {
    if (mask !== undefined) this.checkOption('mask', mask, [0, DRAWN]);
    if (probabilities !== undefined) this.checkOption('probabilities', probabilities, [0, 1]);
    const out = new Uint8Array(this.size);
    for (let index = 0; index < this.size; index++) {
      const fixed = mask?.[index] ?? DRAWN;
      const probability = probabilities?.[index] ?? 0.5;
      // Takes a random number even for fixed elements, so that a mask does not change the others.
      const drawn = rng.float() < probability ? 1 : 0;
      out[index] = fixed === DRAWN ? drawn : fixed;
    }
    return out;
  }

  equals(other: Space): boolean {
    return equalSpaces(this, other);
  }

  toJSON(): SpaceJson {
    return { kind: this.kind, shape: this.shape };
  }

  toJsonable(samples: readonly Uint8Array[], path: readonly PathPart[] = []): unknown {
    return samples.map((sample, index) => {
      assertContains(this, sample, [...path, index]);
      return nestNumbers(sample, this.shape);
    });
  }

  fromJsonable(json: unknown, path: readonly PathPart[] = []): Uint8Array[] {
    return readBatch(json, path).map((item, index) => {
      const out = new Uint8Array(this.size);
      readNestedNumbers(item, { shape: this.shape, out, isInteger: true }, [...path, index]);
      assertContains(this, out, [...path, index]);
      return out;
    });
  }

  toString(): string {
    const [length] = this.shape;
    return `MultiBinary(${this.shape.length === 1 ? String(length) : `[${this.shape.join(', ')}]`})`;
  }

  private checkOption(name: string, list: ArrayLike<number>, [min, max]: readonly [number, number]): void {
    if (list.length !== this.size) {
      throw new SpaceError('sample-options', `expected ${name} of length ${this.size}, got ${list.length}`);
    }
    for (let index = 0; index < list.length; index++) {
      const value = list[index]!;
      if (value >= min && value <= max) continue;
      const found = `${describeValue(value)} at [${index}]`;
      throw new SpaceError('sample-options', `expected ${name} of ${min} to ${max}, got ${found}`);
    }
  }
}
