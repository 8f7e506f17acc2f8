import { describe, expect, test } from 'vitest';
import { Box } from '../../../env/spaces/box.js';
import { Dict } from '../../../env/spaces/dict.js';
import { Discrete } from '../../../env/spaces/discrete.js';
import { MultiBinary } from '../../../env/spaces/multi-binary.js';
import { spaceFromJson } from '../../../env/spaces/space-json.js';
import type { Space } from '../../../env/spaces/space.js';
import { Tuple } from '../../../env/spaces/tuple.js';
import { thrownBy } from './rejection.js';

describe('JSON of spaces', () => {
  test('is readable', () => {
    const space = new Dict({ observation: new Box(-Infinity, [1, 2]), action: new Discrete(3, -1) });
    expect(space.toJSON()).toEqual({
      kind: 'Dict',
      spaces: {
        action: { kind: 'Discrete', n: 3, start: -1 },
        observation: { kind: 'Box', low: '-Infinity', high: [1, 2], shape: [2], dtype: 'float32' },
      },
    });
  });

  test('ignores unknown keys and has defaults for absent ones', () => {
    const json = {
      kind: 'Tuple',
      spaces: [
        { kind: 'Discrete', n: 3, dtype: 'int64' },
        { kind: 'Box', low: 0, high: 1 },
      ],
    };
    expect(spaceFromJson(json).equals(new Tuple([new Discrete(3), new Box(0, 1)]))).toBe(true);
  });

  test.each<readonly [string, unknown, string]>([
    ['space-syntax', null, ''],
    ['space-syntax', { n: 3 }, 'kind'],
    ['space-kind', { kind: 'Text' }, "'Text'"],
    ['space-kind', { kind: 'Dict', spaces: { a: { kind: 'Graph' } } }, "'Graph' at a"],
    ['space-syntax', { kind: 'Discrete', n: '3' }, 'n'],
    ['space-syntax', { kind: 'Box', low: '-infinity', high: 0 }, 'low'],
    ['space-syntax', { kind: 'Box', low: 0, high: 1, dtype: 'int64' }, 'dtype'],
    ['space-bounds', { kind: 'Tuple', spaces: [{ kind: 'Box', low: 1, high: 0 }] }, 'in the space at [0]'],
    ['space-members', { kind: 'Dict', spaces: {} }, 'member'],
    [
      'space-syntax',
      JSON.parse(
        '{"kind": "Dict", "spaces": {"a": {"kind": "Discrete", "n": 2}, "__proto__": {}}}',
      ) as unknown,
      '__proto__',
    ],
  ])('%s for %j', (code, json, part) => {
    const error = thrownBy(() => spaceFromJson(json));
    expect(error.code).toBe(code);
    expect(error.message).toContain(part);
  });

  test('is read up to a limited depth', () => {
    let json: unknown = { kind: 'Discrete', n: 2 };
    for (let depth = 0; depth < 10_000; depth++) json = { kind: 'Tuple', spaces: [json] };
    expect(thrownBy(() => spaceFromJson(json)).code).toBe('space-syntax');
  });
});

describe('JSON of samples', () => {
  test('has Gymnasium’s layout', () => {
    const space = new Dict({
      board: new Box(0, 9, [2, 2], 'uint8'),
      move: new Tuple([new Discrete(4), new MultiBinary(2)]),
    });
    const samples = [1, 3].map((value) => ({
      board: Uint8Array.of(value, 0, 0, 9),
      move: [value, Uint8Array.of(0, 1)] as const,
    }));
    const json = {
      board: [
        [
          [1, 0],
          [0, 9],
        ],
        [
          [3, 0],
          [0, 9],
        ],
      ],
      move: [
        [1, 3],
        [
          [0, 1],
          [0, 1],
        ],
      ],
    };
    expect(space.toJsonable(samples)).toEqual(json);
    expect(space.fromJsonable(json)).toEqual(samples);
  });

  test('keeps numbers that JSON cannot represent', () => {
    const space = new Box(-Infinity, Infinity, [4], 'float64');
    const sample = Float64Array.of(Infinity, -Infinity, -0, 0.1);
    const json: unknown = JSON.parse(JSON.stringify(space.toJsonable([sample])));
    expect(json).toEqual([['Infinity', '-Infinity', '-0', 0.1]]);
    expect(space.fromJsonable(json)).toEqual([sample]);
  });

  test.each<readonly [string, Space, unknown, string]>([
    ['sample-syntax', new Discrete(3), 1, 'expected a list of samples, got 1'],
    ['sample-syntax', new Discrete(3), ['1'], 'expected an integer, got "1" at [0]'],
    ['sample-outside', new Discrete(3), [0, 3], 'expected an integer 0 to 2, got 3 at [1]'],
    [
      'sample-syntax',
      new Box(0, 1, [2, 2]),
      [[1, 1, 1, 1]],
      'expected a list of 2, got an array of 4 at [0]',
    ],
    [
      'sample-syntax',
      new Box(0, 1, [1]),
      [[null]],
      'expected a number that fits the type, got null at [0][0]',
    ],
    [
      'sample-syntax',
      new Box(0, Infinity),
      [[1e300]],
      'expected a number that fits the type, got 1e+300 at [0][0]',
    ],
    [
      'sample-syntax',
      new Box(0, 9, [1], 'int8'),
      [[257]],
      'expected an integer that fits the type, got 257 at [0][0]',
    ],
    ['sample-outside', new Box(0, 1, [1]), [[2]], 'expected a number 0 to 1, got 2 at [0][0]'],
    ['sample-outside', new MultiBinary(2), [[0, 2]], 'expected 0 or 1, got 2 at [0][1]'],
    [
      'sample-syntax',
      new Dict({ a: new Discrete(2) }),
      [],
      'expected an object with keys a, got an array of 0',
    ],
    [
      'sample-syntax',
      new Tuple([new Discrete(2), new Discrete(2)]),
      [[0, 1], [0]],
      'expected a list of 2, got an array of 1 at [1]',
    ],
    [
      'sample-outside',
      new Dict({ a: new Discrete(2) }),
      { a: [0, 5] },
      'expected an integer 0 to 1, got 5 at a[1]',
    ],
  ])('%s: %s and %j', (code, space, json, message) => {
    const error = thrownBy(() => space.fromJsonable(json));
    expect([error.code, error.message]).toEqual([code, message]);
  });

  test('is refused for values that are not samples', () => {
    const space = new Tuple([new Dict({ a: new Discrete(2) })]);
    expect(thrownBy(() => space.toJsonable([[{ a: 2 }]])).message).toBe(
      'expected an integer 0 to 1, got 2 at [0].a[0]',
    );
    expect(thrownBy(() => space.toJsonable([[]] as never)).code).toBe('sample-outside');
    expect(thrownBy(() => space.toJsonable([[{}]] as never)).code).toBe('sample-outside');
  });
});
