import type * as z from 'zod';
import { SpaceError } from '../errors.js';
import type { Rng } from '../random.js';
import { syntaxError } from './sample-json.js';
import { isList } from './shape.js';
import type { Sample, SampleOptions, Space, SpaceJson } from './space.js';
import { equalSpaces, expectMembers, sampleSchema } from './space.js';
import type { PathPart, Violation } from './violation.js';
import { describeValue } from '../text/described-value.js';
import { formatViolation, violationAt } from './violation.js';

/** A sample of each member, in order. */
export type TupleSample<Members extends readonly Space[]> = {
  readonly [Index in keyof Members]: Sample<Members[Index]>;
};

/** Options of `sample` for each member, in order; undefined for none, trailing ones may be omitted. */
export type TupleSampling<Members extends readonly Space[]> = {
  readonly [Index in keyof Members]?: SampleOptions<Members[Index]> | undefined;
};

/**
 * Lists with a sample of each member, in order, like Gymnasium's `Tuple`.
 *
 * ```ts
 * const space = new Tuple([new Discrete(7), new Box(-1, 1, [3])]);
 * type Pair = Sample<typeof space>; // readonly [number, Float32Array]
 * ```
 */
export class Tuple<const Members extends readonly Space[] = readonly Space[]> implements Space<
  TupleSample<Members>,
  TupleSampling<Members>
> {
  /** The name of the class, also in JSON. */
  readonly kind = 'Tuple';
  /** The members. */
  readonly spaces: Members;
  readonly schema: z.ZodType<TupleSample<Members>>;

  /**
   * @param spaces at least one.
   * @throws SpaceError `space-members`.
   */
  constructor(spaces: Members) {
    if (!isList(spaces)) {
      throw new SpaceError('space-members', `expected a list of spaces, got ${describeValue(spaces)}`);
    }
    expectMembers(this.kind, [...spaces.entries()]);
    this.spaces = Object.freeze([...spaces]) as unknown as Members;
    this.schema = sampleSchema((value) => this.violation(value));
  }

  contains(value: unknown): value is TupleSample<Members> {
    return this.violation(value) === null;
  }

  violation(value: unknown): Violation | null {
    if (!this.hasLength(value)) return this.lengthViolation(value);
    for (const [index, member] of this.spaces.entries()) {
      const violation = member.violation(value[index]);
      if (violation !== null) return violationAt(index, violation);
    }
    return null;
  }

  sample(rng: Rng, options?: TupleSampling<Members>): TupleSample<Members> {
    const given = (options ?? []) as readonly unknown[];
    if (given.length > this.spaces.length) {
      const expected = `options for at most ${this.spaces.length} members`;
      throw new SpaceError('sample-options', `expected ${expected}, got ${given.length}`);
    }
    return this.collect((member, index) => member.sample(rng, given[index] as never));
  }

  equals(other: Space): boolean {
    return equalSpaces(this, other);
  }

  toJSON(): SpaceJson {
    return { kind: this.kind, spaces: this.spaces.map((member) => member.toJSON()) };
  }

  toJsonable(samples: readonly TupleSample<Members>[], path: readonly PathPart[] = []): unknown {
    samples.forEach((sample, index) => {
      if (this.hasLength(sample)) return;
      const message = formatViolation({ ...this.lengthViolation(sample), path: [...path, index] });
      throw new SpaceError('sample-outside', message);
    });
    return this.spaces.map((member, index) => {
      return member.toJsonable(
        samples.map((sample) => sample[index]),
        [...path, index],
      );
    });
  }

  fromJsonable(json: unknown, path: readonly PathPart[] = []): TupleSample<Members>[] {
    if (!this.hasLength(json)) {
      throw new SpaceError('sample-syntax', formatViolation({ ...this.lengthViolation(json), path }));
    }
    const batches = this.spaces.map((member, index) => member.fromJsonable(json[index], [...path, index]));
    const length = batches[0]!.length;
    for (const [index, batch] of batches.entries()) {
      if (batch.length !== length) throw syntaxError(`a list of ${length}`, json[index], [...path, index]);
    }
    return Array.from({ length }, (_, sample) => this.collect((_member, index) => batches[index]![sample]));
  }

  toString(): string {
    return `Tuple(${this.spaces.map(String).join(', ')})`;
  }

  private hasLength(value: unknown): value is readonly unknown[] {
    return Array.isArray(value) && value.length === this.spaces.length;
  }

  private lengthViolation(value: unknown): Violation {
    return { path: [], expected: `an array of ${this.spaces.length}`, found: describeValue(value) };
  }

  private collect(valueOf: (member: Space, index: number) => unknown): TupleSample<Members> {
    return this.spaces.map(valueOf) as unknown as TupleSample<Members>;
  }
}
