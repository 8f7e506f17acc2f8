import { expect, test } from 'vitest';
import { ValueCalibration } from '../../../training/learning/value-calibration.js';

test('values are compared with the results of their bin', () => {
  const calibration = new ValueCalibration();
  for (const result of [1, 1, 1, -1]) calibration.add(0.5, result);
  for (const result of [-1, -1]) calibration.add(-0.9, result);
  const summary = calibration.summary()!;
  expect(summary.rows).toBe(6);
  expect(summary.bins.map(({ rows }) => rows)).toEqual([2, 4]);
  expect(summary.bins[0]).toMatchObject({ from: -1, meanResult: -1 });
  expect(summary.bins[1]!.meanResult).toBe(0.5);
  expect(summary.error).toBeCloseTo((2 * 0.1) / 6, 12);
  expect(summary.squaredError).toBeCloseTo((3 * 0.25 + 2.25 + 2 * 0.01) / 6, 12);
});

test('the end points belong to bins, and without rows there is no summary', () => {
  const calibration = new ValueCalibration();
  expect(calibration.summary()).toBeNull();
  calibration.add(1, 1);
  calibration.add(-1, -1);
  expect(calibration.summary()).toMatchObject({ rows: 2, error: 0, bins: [{ from: -1 }, { from: 0.8 }] });
});
