/** A line of a chart: measurements over generations. */
export interface Curve {
  readonly name: string;
  /** Ordered by generation, ascending. */
  readonly points: readonly CurvePoint[];
}

/** One measurement. */
export interface CurvePoint {
  readonly generation: number;
  readonly value: number;
  /** Bounds of the 95 % interval, if known. */
  readonly low?: number;
  readonly high?: number;
}

/** Curves over the generations of a run that share an axis. */
export interface Chart {
  readonly title: string;
  /** Unit of the values, such as `nats`, `%`. */
  readonly unit: string;
  /** Ends of the axis. Default to the range of the values. */
  readonly range?: readonly [low: number, high: number];
  /** At least one, each with at least one point. */
  readonly curves: readonly Curve[];
}
