import { describe, expect, test } from 'vitest';
import { createRng } from '../../../env/random.js';
import { Box } from '../../../env/spaces/box.js';
import { Dict } from '../../../env/spaces/dict.js';
import { Discrete } from '../../../env/spaces/discrete.js';
import { flatten } from '../../../env/spaces/flatten.js';
import { MultiBinary } from '../../../env/spaces/multi-binary.js';
import { MultiDiscrete } from '../../../env/spaces/multi-discrete.js';
import { Tuple } from '../../../env/spaces/tuple.js';
import { rejection, thrownBy } from './rejection.js';

/** A space made as by a program without types. */
const untyped = (Space: unknown, ...args: readonly unknown[]): unknown => {
  return new (Space as new (...args: readonly unknown[]) => unknown)(...args);
};

describe('Box', () => {
  const box = new Box(0, 1, [2, 2]);

  test('rejects other types, lengths, numbers and NaN, with the path', () => {
    expect(rejection(box, new Float32Array(4))).toBeUndefined();
    expect(rejection(box, new Float64Array(4))).toBe('expected a Float32Array of 4, got a Float64Array of 4');
    expect(rejection(box, new Float32Array(3))).toBe('expected a Float32Array of 4, got a Float32Array of 3');
    expect(rejection(box, [0, 0, 0, 0])).toBe('expected a Float32Array of 4, got an array of 4');
    expect(rejection(box, Float32Array.of(0, 0, 2, 0))).toBe('expected a number 0 to 1, got 2 at [2]');
    expect(rejection(box, Float32Array.of(0, NaN, 0, 0))).toBe('expected a number 0 to 1, got NaN at [1]');
    expect(rejection(new Box(-Infinity, Infinity, [1]), Float32Array.of(NaN))).toContain('got NaN');
    expect(rejection(new Box([0, 5], [1, 6]), Float32Array.of(0, 1))).toBe(
      'expected a number 5 to 6, got 1 at [1]',
    );
  });

  test('reports the path in nested spaces', () => {
    const nested = new Dict({ observation: new Tuple([new Discrete(2), box]), 'a b': box });
    const sample = { observation: [0, Float32Array.of(0, 0, 0, 3)], 'a b': new Float32Array(4) };
    expect(rejection(nested, sample)).toBe('expected a number 0 to 1, got 3 at observation[1][3]');
    const spaced = { ...sample, 'a b': 'x' };
    expect(rejection(nested, spaced)).toBe('expected a Float32Array of 4, got "x" at ["a b"]');
  });

  test('infers its shape from its bounds', () => {
    expect(new Box(0, 1).shape).toEqual([1]);
    expect(new Box([0, 0, 0], 1).shape).toEqual([3]);
    expect(new Box(0, [1, 2]).shape).toEqual([2]);
    expect(new Box(0, 1, []).size).toBe(1);
    expect(String(new Box(0, [1, 2]))).toBe('Box(0, [1, 2], [2], float32)');
  });

  test('knows which sides are bounded', () => {
    const below = new Box(0, Infinity, [2]);
    expect([below.isBounded('below'), below.isBounded('above'), below.isBounded()]).toEqual([
      true,
      false,
      false,
    ]);
    expect(new Box([0, -Infinity], [1, 1]).isBounded('below')).toBe(false);
    expect(box.isBounded()).toBe(true);
  });

  test('keeps its bounds in the precision of its type', () => {
    expect(new Box(0.1, 0.2).low).toBe(Math.fround(0.1));
    expect(new Box(0.1, 0.1).contains(Float32Array.of(0.1))).toBe(true);
    expect(new Box(0.1, 0.2).equals(new Box(Math.fround(0.1), Math.fround(0.2)))).toBe(true);
    expect(new Box(-0, 0).equals(new Box(0, 0))).toBe(true);
    expect(new Box([1, 1], [2, 2]).equals(new Box(1, 2, [2]))).toBe(true);
    expect(new Box(0, 1, [2], 'int8').equals(new Box(0, 1, [2], 'uint8'))).toBe(false);
    expect(new Box(-Infinity, 0, [2], 'int8').equals(new Box(-128, 0, [2], 'int8'))).toBe(false);
  });

  test.each<readonly [string, () => unknown]>([
    ['space-bounds', () => new Box(2, 1)],
    ['space-bounds', () => new Box([0, 2], 1)],
    ['space-bounds', () => new Box(NaN, 1)],
    ['space-bounds', () => new Box(Infinity, Infinity)],
    ['space-bounds', () => new Box(-1e300, 1)],
    ['space-bounds', () => new Box(0, 256, [1], 'uint8')],
    ['space-bounds', () => new Box(-Infinity, 1, [1], 'uint8')],
    ['space-bounds', () => new Box(0, Infinity, [1], 'uint32')],
    ['space-bounds', () => new Box(0, 1.5, [1], 'int8')],
    ['space-bounds', () => new Box([0, 0], 1, [3])],
    ['space-shape', () => new Box(0, 1, [0])],
    ['space-shape', () => new Box(0, 1, [2.5])],
    ['space-shape', () => new Box(0, 1, [2 ** 20, 2 ** 20])],
    ['space-count', () => new Discrete(0)],
    ['space-count', () => new Discrete(2.5)],
    ['space-count', () => new Discrete(2, 0.5)],
    ['space-count', () => new Discrete(2, Number.MAX_SAFE_INTEGER)],
    ['space-shape', () => new MultiBinary(0)],
    ['space-shape', () => new MultiDiscrete([])],
    ['space-shape', () => new MultiDiscrete([2], [0, 0])],
    ['space-count', () => new MultiDiscrete([2], [2 ** 31 - 1])],
    ['space-members', () => new Dict({})],
    ['space-members', () => new Dict(JSON.parse('{"__proto__": 1}') as never)],
    ['space-members', () => new Tuple([])],
    ['space-bounds', () => untyped(Box)],
    ['space-bounds', () => untyped(Box, 0, null)],
    ['space-shape', () => untyped(Box, 0, 1, 3)],
    ['space-bounds', () => untyped(Box, 0, 1, [2], 'x')],
    ['space-shape', () => untyped(MultiBinary, 'x')],
    ['space-shape', () => untyped(MultiBinary)],
    ['space-shape', () => untyped(MultiDiscrete)],
    ['space-shape', () => untyped(MultiDiscrete, 3)],
    ['space-shape', () => untyped(MultiDiscrete, [3], 'x')],
    ['space-members', () => untyped(Dict)],
    ['space-members', () => untyped(Dict, { a: null })],
    ['space-members', () => untyped(Dict, { a: 1 })],
    ['space-members', () => untyped(Tuple, 3)],
    ['space-members', () => untyped(Tuple, [null])],
  ])('an impossible space throws %s (%#)', (code, create) => {
    expect(thrownBy(create).code).toBe(code);
  });

  test('takes no mask', () => {
    const sample = box.sample.bind(box) as (...args: unknown[]) => unknown;
    expect(thrownBy(() => sample(createRng(1), { mask: 1 })).code).toBe('sample-options');
  });
});

describe('Dict and Tuple', () => {
  const first = new Discrete(2);
  const second = new MultiBinary(3);

  test('the order of members matters in a Tuple, not in a Dict', () => {
    const one = new Dict({ a: first, b: second });
    const other = new Dict({ b: second, a: first });
    expect(one.equals(other)).toBe(true);
    expect(one.sample(createRng(3))).toEqual(other.sample(createRng(3)));
    expect(flatten(other, { a: 1, b: Uint8Array.of(1, 0, 0) })).toEqual(Uint8Array.of(0, 1, 1, 0, 0));
    expect(new Tuple([first, second]).equals(new Tuple([second, first]))).toBe(false);
  });

  test('rejects missing, stray and misplaced members', () => {
    const dict = new Dict({ a: first, b: second });
    const b = new Uint8Array(3);
    expect(rejection(dict, { b, a: 1 })).toBeUndefined();
    expect(rejection(dict, { a: 1 })).toBe('expected an object with keys a, b, got an object with keys a');
    expect(rejection(dict, { a: 1, b, c: 1 })).toContain('got an object with keys a, b, c');
    expect(rejection(dict, Object.create({ a: 1, b }))).toContain('got an object without keys');
    expect(rejection(dict, Object.assign(Object.create({ a: 1 }) as object, { b, c: 1 }))).toBeDefined();
    expect(rejection(dict, { a: 2, b })).toBe('expected an integer 0 to 1, got 2 at a');
    expect(rejection(dict, { a: 1, b: Uint8Array.of(0, 2, 0) })).toBe('expected 0 or 1, got 2 at b[1]');
    const tuple = new Tuple([first, second]);
    expect(rejection(tuple, [1, b])).toBeUndefined();
    expect(rejection(tuple, [1])).toBe('expected an array of 2, got an array of 1');
    expect(rejection(tuple, [b, 1])).toBe('expected an integer 0 to 1, got a Uint8Array of 3 at [0]');
  });

  test('their members cannot be replaced', () => {
    const dict = new Dict({ a: first });
    expect(() => Object.assign(dict.spaces, { a: second })).toThrow(TypeError);
    expect(() => Object.assign(new Tuple([first]).spaces, { 0: second })).toThrow(TypeError);
  });
});
