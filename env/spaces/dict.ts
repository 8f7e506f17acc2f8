import type * as z from 'zod';
import { SpaceError } from '../errors.js';
import type { Rng } from '../random.js';
import { syntaxError } from './sample-json.js';
import type { Sample, SampleOptions, Space, SpaceJson } from './space.js';
import { equalSpaces, expectMembers, sampleSchema } from './space.js';
import type { PathPart, Violation } from './violation.js';
import { describeValue } from '../text/described-value.js';
import { formatViolation, violationAt } from './violation.js';

/** Spaces by name. */
export type SpaceRecord = Readonly<Record<string, Space>>;

/** A sample of each member, by name. */
export type DictSample<Members extends SpaceRecord> = {
  readonly [Key in keyof Members]: Sample<Members[Key]>;
};

/** Options of `sample` for each member, by name; all are optional. */
export type DictSampling<Members extends SpaceRecord> = {
  readonly [Key in keyof Members]?: SampleOptions<Members[Key]> | undefined;
};

/**
 * Objects with a sample of each member, and nothing else, like Gymnasium's `Dict`.
 *
 * ```ts
 * const space = new Dict({ observation: new Box(0, 1, [8000]), actionMask: new MultiBinary(57600) });
 * type Observation = Sample<typeof space>; // { observation: Float32Array; actionMask: Uint8Array }, readonly
 * space.sample(rng, { actionMask: { mask } });
 * ```
 *
 * Members are sampled and flattened in the order of their sorted names, as in Gymnasium; the order of
 * declaration does not matter.
 */
export class Dict<Members extends SpaceRecord = SpaceRecord> implements Space<
  DictSample<Members>,
  DictSampling<Members>
> {
  /** The name of the class, also in JSON. */
  readonly kind = 'Dict';
  /** The members. */
  readonly spaces: Members;
  /** The names of the members, sorted by UTF-16 code units. */
  readonly keys: readonly (keyof Members & string)[];
  readonly schema: z.ZodType<DictSample<Members>>;

  /**
   * @param spaces at least one.
   * @throws SpaceError `space-members`.
   */
  constructor(spaces: Members) {
    const given: unknown = spaces;
    if (typeof given !== 'object' || given === null) {
      throw new SpaceError('space-members', `expected spaces by name, got ${describeValue(given)}`);
    }
    expectMembers(this.kind, Object.entries(given));
    this.keys = Object.freeze(Object.keys(spaces).sort());
    if (this.keys.includes('__proto__')) {
      throw new SpaceError('space-members', "expected names that objects can have, got '__proto__'");
    }
    this.spaces = Object.freeze(
      Object.fromEntries(this.keys.map((key) => [key, spaces[key]])),
    ) as unknown as Members;
    this.schema = sampleSchema((value) => this.violation(value));
  }

  contains(value: unknown): value is DictSample<Members> {
    return this.violation(value) === null;
  }

  violation(value: unknown): Violation | null {
    if (!hasKeys(value, this.keys)) return this.keysViolation(value);
    for (const key of this.keys) {
      const violation = this.member(key).violation(value[key]);
      if (violation !== null) return violationAt(key, violation);
    }
    return null;
  }

  sample(rng: Rng, options: DictSampling<Members> = {}): DictSample<Members> {
    const stray = Object.keys(options).find((key) => !this.keys.includes(key));
    if (stray !== undefined) {
      const found = describeValue(stray);
      throw new SpaceError('sample-options', `expected options for ${this.keys.join(', ')}, got ${found}`);
    }
    return this.collect((key, member) => member.sample(rng, options[key] as never)) as DictSample<Members>;
  }

  equals(other: Space): boolean {
    return equalSpaces(this, other);
  }

  toJSON(): SpaceJson {
    return { kind: this.kind, spaces: this.collect((_key, member) => member.toJSON()) };
  }

  toJsonable(samples: readonly DictSample<Members>[], path: readonly PathPart[] = []): unknown {
    samples.forEach((sample, index) => {
      if (hasKeys(sample, this.keys)) return;
      const message = formatViolation({ ...this.keysViolation(sample), path: [...path, index] });
      throw new SpaceError('sample-outside', message);
    });
    return this.collect((key, member) => {
      const values = samples.map((sample) => sample[key]);
      return member.toJsonable(values, [...path, key]);
    });
  }

  fromJsonable(json: unknown, path: readonly PathPart[] = []): DictSample<Members>[] {
    if (!hasKeys(json, this.keys)) {
      throw new SpaceError('sample-syntax', formatViolation({ ...this.keysViolation(json), path }));
    }
    const batches = this.collect((key, member) => member.fromJsonable(json[key], [...path, key]));
    const length = batches[this.keys[0]!]!.length;
    const uneven = this.keys.find((key) => batches[key]!.length !== length);
    if (uneven !== undefined) throw syntaxError(`a list of ${length}`, json[uneven], [...path, uneven]);
    return Array.from({ length }, (_, index) => {
      return this.collect((key) => batches[key]![index]) as DictSample<Members>;
    });
  }

  toString(): string {
    return `Dict(${this.keys.map((key) => `${key}: ${String(this.member(key))}`).join(', ')})`;
  }

  private keysViolation(value: unknown): Violation {
    const expected = `an object with keys ${this.keys.join(', ')}`;
    return { path: [], expected, found: describeValue(value) };
  }

  private member(key: keyof Members & string): Space {
    return this.spaces[key]!;
  }

  private collect<Value>(
    valueOf: (key: keyof Members & string, member: Space) => Value,
  ): Record<string, Value> {
    return Object.fromEntries(this.keys.map((key) => [key, valueOf(key, this.member(key))]));
  }
}

function hasKeys<Key extends string>(value: unknown, keys: readonly Key[]): value is Record<Key, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}
