import * as z from 'zod';

/** Bins of predicted values, of equal width over [-1, 1]. */
const BINS = 10;

/** Rows whose predicted value lies in one bin. Values are to the player to move. */
const CalibrationBin = z.strictObject({
  /** `[from, from + 0.2)`; the last bin includes 1. */
  from: z.number(),
  rows: z.int().positive(),
  meanValue: z.number(),
  /** Mean of the games' results, 1, 0 or -1. */
  meanResult: z.number(),
});

/** Agreement of predicted values with results. */
export const CalibrationSummary = z.strictObject({
  /** Rows with a result. */
  rows: z.int().positive(),
  /**
   * Mean distance of value and result in a bin, weighted by rows: expected calibration error.
   *
   * @see Guo et al. 2017, "On Calibration of Modern Neural Networks", formula 3.
   */
  error: z.number(),
  /**
   * Mean of the squared differences of value and result, in [0, 4]; for constant predictions of 0, it is the share of
   * decided games.
   */
  squaredError: z.number(),
  /** Bins that have rows, ascending. */
  bins: z.array(CalibrationBin).readonly(),
});
export type CalibrationSummary = z.infer<typeof CalibrationSummary>;

/** Collects predicted values and actual results. */
export class ValueCalibration {
  private readonly rows = new Uint32Array(BINS);
  private readonly values = new Float64Array(BINS);
  private readonly results = new Float64Array(BINS);
  private squares = 0;

  /** @param value in [-1, 1]; `result` 1, 0 or -1, of the same view. */
  add(value: number, result: number): void {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor(((value + 1) / 2) * BINS)));
    this.rows[bin]! += 1;
    this.values[bin]! += value;
    this.results[bin]! += result;
    this.squares += (value - result) ** 2;
  }

  /** Null without rows. */
  summary(): CalibrationSummary | null {
    const total = this.rows.reduce((sum, rows) => sum + rows, 0);
    if (total === 0) return null;
    const bins = Array.from(this.rows, (rows, bin) => ({
      from: (bin * 2) / BINS - 1,
      rows,
      meanValue: this.values[bin]! / rows,
      meanResult: this.results[bin]! / rows,
    })).filter(({ rows }) => rows > 0);
    const error = bins.reduce(
      (sum, { rows, meanValue, meanResult }) => sum + rows * Math.abs(meanValue - meanResult),
      0,
    );
    return { rows: total, error: error / total, squaredError: this.squares / total, bins };
  }
}
