import { expect, test } from 'vitest';
import { nonNegativeNumber, shareOfOne } from '../../../scripts/options/numbers.js';

test.each([
  ['0', 0],
  ['1.', 1],
  ['.25', 0.25],
  ['1e-3', 0.001],
  ['25E-2', 0.25],
  ['0.1e1', 1],
])('%s is a share', (text, share) => {
  expect(shareOfOne(text)).toBe(share);
});

test.each(['', '.', '-0.5', '+1', '1.01', '1e1', 'e3', '0x1', '1e', 'Infinity', 'NaN', '1e999', ' 1'])(
  '%j is no share',
  (text) => {
    expect(() => shareOfOne(text)).toThrow('Expected a number from 0 to 1.');
  },
);

test('a number may be greater than one where that has a meaning', () => {
  expect(nonNegativeNumber('1e3')).toBe(1000);
  expect(() => nonNegativeNumber('1e7')).toThrow('Expected a number from 0 to 1000000.');
});
