import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SpaceError } from '../../../env/errors.js';
import { createRng } from '../../../env/random.js';
import { Box } from '../../../env/spaces/box.js';
import { flatdim, flatten, flattenInto, flattenSpace, unflatten } from '../../../env/spaces/flatten.js';
import { spaceFromJson } from '../../../env/spaces/space-json.js';
import { Tuple } from '../../../env/spaces/tuple.js';
import { anySpace } from './any-space.js';
import { rejection } from './rejection.js';

const seeds = fc.nat();

describe('every space', () => {
  test('contains its samples, and so does its schema', () => {
    fc.assert(
      fc.property(anySpace, seeds, (space, seed) => {
        const sample = space.sample(createRng(seed));
        expect(rejection(space, sample)).toBeUndefined();
        expect(space.schema.parse(sample)).toBe(sample);
      }),
    );
  });

  test('samples the same from the same stream, and differently from another', () => {
    fc.assert(
      fc.property(anySpace, seeds, (space, seed) => {
        expect(space.sample(createRng(seed))).toEqual(space.sample(createRng(seed)));
      }),
    );
    const draw = (seed: number): Float32Array => new Box(0, 1, [5]).sample(createRng(seed));
    expect(draw(1)).not.toEqual(draw(2));
  });

  test('round-trips through JSON', () => {
    fc.assert(
      fc.property(anySpace, seeds, (space, seed) => {
        const again = spaceFromJson(JSON.parse(JSON.stringify(space)));
        expect(again.equals(space)).toBe(true);
        expect(space.equals(again)).toBe(true);
        expect(String(again)).toBe(String(space));
        expect(again.sample(createRng(seed))).toEqual(space.sample(createRng(seed)));
      }),
    );
  });

  test('equals exactly the spaces of the same definition', () => {
    fc.assert(
      fc.property(anySpace, anySpace, (first, second) => {
        expect(first.equals(second)).toBe(JSON.stringify(first) === JSON.stringify(second));
        expect(new Tuple([first]).equals(first)).toBe(false);
      }),
    );
  });

  test('round-trips samples through JSON', () => {
    fc.assert(
      fc.property(anySpace, seeds, fc.nat(3), (space, seed, count) => {
        const rng = createRng(seed);
        const samples = Array.from({ length: count }, () => space.sample(rng));
        const json: unknown = JSON.parse(JSON.stringify(space.toJsonable(samples)));
        expect(space.fromJsonable(json)).toEqual(samples);
      }),
    );
  });

  test('flattens samples into its flat space and back', () => {
    fc.assert(
      fc.property(anySpace, seeds, (space, seed) => {
        const sample = space.sample(createRng(seed));
        const flat = flatten(space, sample);
        expect(flat).toHaveLength(flatdim(space));
        expect(flattenSpace(space).contains(flat)).toBe(true);
        expect(unflatten(space, flat)).toEqual(sample);
        // Overwrites exactly its range.
        const row = new Float64Array(flat.length + 2).fill(7);
        expect(flattenInto(space, sample, row, 1)).toBe(flat.length + 1);
        expect([...row]).toEqual([7, ...flat, 7]);
      }),
    );
  });

  test('rejects other values consistently in contains, schema and assertContains', () => {
    fc.assert(
      fc.property(anySpace, anySpace, fc.anything(), seeds, (space, other, value, seed) => {
        rejection(space, value);
        const foreign = other.sample(createRng(seed));
        rejection(space, foreign);
        expect(rejection(new Tuple([space]), [space.sample(createRng(seed)), foreign])).toBeDefined();
      }),
    );
  });

  test('rejects JSON of other values, with a code', () => {
    fc.assert(
      fc.property(anySpace, fc.jsonValue(), (space, json) => {
        try {
          for (const sample of space.fromJsonable(json)) expect(space.contains(sample)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(SpaceError);
        }
      }),
    );
  });
});
