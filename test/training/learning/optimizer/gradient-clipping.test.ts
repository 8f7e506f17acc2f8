import { expect, test } from 'vitest';
import { clipNorm, norm } from '../../../../training/learning/optimizer/gradient-clipping.js';

test('clipping keeps the direction and limits the norm', () => {
  const gradient = Float32Array.of(3, 4);
  expect(clipNorm(gradient, 10)).toBe(5);
  expect([...gradient]).toEqual([3, 4]);
  expect(clipNorm(gradient, 1)).toBe(5);
  expect(norm(gradient)).toBeCloseTo(1, 6);
  expect(gradient[0]! / gradient[1]!).toBeCloseTo(0.75, 6);
});
