/** A line of a chart: what was measured at some generations. */
export interface Curve {
  readonly name: string;
  /** By generation, ascending. */
  readonly points: readonly CurvePoint[];
}

/** One measurement. */
export interface CurvePoint {
  readonly generation: number;
  readonly value: number;
  /** 95 % interval, where one is known. */
  readonly low?: number;
  readonly high?: number;
}

/** Curves over the generations of a run that share an axis. */
export interface Chart {
  readonly title: string;
  /** What the values are in, such as `nats`, `%`. */
  readonly unit: string;
  /** Ends of the axis; left out where the values decide. */
  readonly range?: readonly [low: number, high: number];
  /** At least one, each with at least one point. */
  readonly curves: readonly Curve[];
}
