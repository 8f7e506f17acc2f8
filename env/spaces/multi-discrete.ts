import type * as z from 'zod';
import { SpaceError } from '../errors.js';
import type { Rng } from '../random.js';
import type { DiscreteSampling } from './discrete.js';
import { Discrete } from './discrete.js';
import { DTYPES } from './dtype.js';
import { nestNumbers, readBatch, readNestedNumbers } from './sample-json.js';
import type { Space, SpaceJson } from './space.js';
import { assertContains, equalSpaces, sampleSchema } from './space.js';
import type { PathPart, Violation } from './violation.js';
import { describeValue } from '../text/described-value.js';

/** Options for sampling each component of a `MultiDiscrete`; absent or undefined: unrestricted. */
export type MultiDiscreteSampling = readonly (DiscreteSampling | undefined)[];

/**
 * Lists of integers, each with its own range, like Gymnasium's `MultiDiscrete` with one axis. A sample is an
 * `Int32Array`.
 */
export class MultiDiscrete implements Space<Int32Array, MultiDiscreteSampling> {
  /** The name of the class, also in JSON. */
  readonly kind = 'MultiDiscrete';
  /** Number of values of each component. */
  readonly nvec: readonly number[];
  /** The smallest value of each component. */
  readonly start: readonly number[];
  /** The components as spaces. */
  readonly components: readonly Discrete[];
  readonly schema: z.ZodType<Int32Array>;

  /**
   * @param nvec number of values of each component, 1 or more.
   * @param start the smallest value of each. Defaults to 0.
   * @throws SpaceError `space-shape` for no components or a wrong number of starts, `space-count` for values
   * beyond 32-bit integers.
   */
  constructor(nvec: readonly number[], start?: readonly number[]) {
    for (const list of [nvec, start ?? []]) {
      if (Array.isArray(list)) continue;
      throw new SpaceError('space-shape', `expected a list for the components, got ${describeValue(list)}`);
    }
    const starts = start ?? nvec.map(() => 0);
    if (nvec.length === 0 || starts.length !== nvec.length) {
      const found = `${nvec.length} and ${starts.length}`;
      throw new SpaceError('space-shape', `expected as many starts as components, 1 or more, got ${found}`);
    }
    this.components = Object.freeze(nvec.map((n, index) => new Discrete(n, starts[index])));
    const wrong = this.components.findIndex(({ n, start }) => {
      return start < DTYPES.int32.min || start + n - 1 > DTYPES.int32.max;
    });
    if (wrong !== -1) {
      const found = String(this.components[wrong]);
      throw new SpaceError('space-count', `expected 32-bit integers, got ${found} at [${wrong}]`);
    }
    this.nvec = Object.freeze(this.components.map(({ n }) => n));
    this.start = Object.freeze(this.components.map((component) => component.start));
    this.schema = sampleSchema((value) => this.violation(value));
  }

  contains(value: unknown): value is Int32Array {
    return this.violation(value) === null;
  }

  violation(value: unknown): Violation | null {
    const { components } = this;
    if (!(value instanceof Int32Array) || value.length !== components.length) {
      return { path: [], expected: `an Int32Array of ${components.length}`, found: describeValue(value) };
    }
    for (let index = 0; index < value.length; index++) {
      const violation = components[index]!.violation(value[index]);
      if (violation !== null) return { ...violation, path: [index] };
    }
    return null;
  }

  sample(rng: Rng, options: MultiDiscreteSampling = []): Int32Array {
    if (options.length > this.components.length) {
      const expected = `options for at most ${this.components.length} components`;
      throw new SpaceError('sample-options', `expected ${expected}, got ${options.length}`);
    }
    return Int32Array.from(this.components, (component, index) => component.sample(rng, options[index]));
  }

  equals(other: Space): boolean {
    return equalSpaces(this, other);
  }

  toJSON(): SpaceJson {
    return { kind: this.kind, nvec: this.nvec, start: this.start };
  }

  toJsonable(samples: readonly Int32Array[], path: readonly PathPart[] = []): unknown {
    return samples.map((sample, index) => {
      assertContains(this, sample, [...path, index]);
      return nestNumbers(sample, [sample.length]);
    });
  }

  fromJsonable(json: unknown, path: readonly PathPart[] = []): Int32Array[] {
    return readBatch(json, path).map((item, index) => {
      const out = new Int32Array(this.components.length);
      readNestedNumbers(item, { shape: [out.length], out, isInteger: true }, [...path, index]);
      assertContains(this, out, [...path, index]);
      return out;
    });
  }

  toString(): string {
    const start = this.start.some((least) => least !== 0) ? `, start=[${this.start.join(', ')}]` : '';
    return `MultiDiscrete([${this.nvec.join(', ')}]${start})`;
  }
}
