import { expect, test } from 'vitest';
import { centreGradient } from '../../../../training/learning/optimizer/gradient-centring.js';

test('subtracts the mean of each column within the range', () => {
  const gradient = Float32Array.of(9, 1, 10, 2, 20, 6, 60, 9);
  centreGradient(gradient, { from: 1, to: 7, columns: 2 });
  expect([...gradient]).toEqual([9, -2, -20, -1, -10, 3, 30, 9]);
});
