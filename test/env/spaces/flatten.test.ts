import { describe, expect, test } from 'vitest';
import { Box } from '../../../env/spaces/box.js';
import { Dict } from '../../../env/spaces/dict.js';
import { Discrete } from '../../../env/spaces/discrete.js';
import { flatDtype, flatdim, flatten, unflatten } from '../../../env/spaces/flatten.js';
import { MultiBinary } from '../../../env/spaces/multi-binary.js';
import { MultiDiscrete } from '../../../env/spaces/multi-discrete.js';
import type { Space } from '../../../env/spaces/space.js';
import { Tuple } from '../../../env/spaces/tuple.js';
import { thrownBy } from './rejection.js';

describe('flattening', () => {
  test('is one-hot for integers', () => {
    expect(flatten(new Discrete(4, -1), 1)).toEqual(Uint8Array.of(0, 0, 1, 0));
    expect(flatten(new MultiDiscrete([2, 3]), Int32Array.of(1, 0))).toEqual(Uint8Array.of(0, 1, 1, 0, 0));
  });

  test.each<readonly [string, Space[]]>([
    ['uint8', [new Discrete(2), new MultiBinary(2)]],
    ['float32', [new Box(0, 1), new MultiBinary(2), new Box(0, 1, [1], 'int16')]],
    ['float64', [new Box(0, 1), new Box(0, 1, [1], 'int32')]],
    ['float64', [new Box(0, 1), new Box(0, 1, [1], 'float64')]],
    ['int16', [new Box(0, 1, [1], 'int8'), new Discrete(2)]],
    ['int32', [new Box(0, 1, [1], 'int8'), new Box(0, 1, [1], 'uint16')]],
    ['float64', [new Box(0, 1, [1], 'int8'), new Box(0, 1, [1], 'uint32')]],
  ])('has type %s if that holds all members', (dtype, spaces) => {
    expect(flatDtype(new Tuple<readonly Space[]>(spaces))).toBe(dtype);
  });

  test.each<readonly [Space, readonly number[], string]>([
    [new Discrete(3), [0, 1], 'expected 3 numbers, got 2'],
    [new Discrete(3), [0, 0, 0], 'expected zeros and a single 1, got zeros'],
    [new Discrete(3), [0, 1, 1], 'expected zeros and a single 1, got 1 at [2]'],
    [new Tuple([new Discrete(2)]), [0.5, 0], 'expected zeros and a single 1, got 0.5 at [0][0]'],
    [new Box(0, 9, [1], 'uint8'), [257], 'expected an integer that fits the type, got 257 at [0]'],
    [
      new Dict({ a: new MultiBinary(2) }),
      [0, 0.5],
      'expected an integer that fits the type, got 0.5 at a[1]',
    ],
  ])('rejects a flattened sample of %s: %j', (space, flat, message) => {
    const error = thrownBy(() => unflatten(space, flat));
    expect([error.code, error.message]).toEqual(['sample-flat', message]);
  });

  test('checks samples before flattening, and after unflattening', () => {
    expect(thrownBy(() => flatten(new Discrete(2), 2)).code).toBe('sample-outside');
    expect(thrownBy(() => unflatten(new Box(0, 1), [2])).code).toBe('sample-outside');
  });

  test('rejects other kinds of spaces', () => {
    const foreign: Space = Object.assign(new Discrete(2), { kind: 'Text' });
    expect(thrownBy(() => flatdim(foreign)).code).toBe('space-kind');
  });
});
