/** A line of a chart: measurements over generations. */
export interface Curve {
  readonly name: string;
  /** Ordered by generation, ascending. */
  readonly points: readonly CurvePoint[];
  /** Whether it is a level to compare with, drawn without points. Defaults to false. */
  readonly isLevel?: boolean;
}

/** One measurement. */
export interface CurvePoint {
  readonly generation: number;
  readonly value: number;
  /** Place on the horizontal axis, if that does not count generations. */
  readonly at?: number;
  /** Bounds of the 95 % interval, if known; null: unbounded. */
  readonly low?: number | null;
  readonly high?: number | null;
}

/** Curves over the generations of a run that share an axis. */
export interface Chart {
  readonly title: string;
  /** Unit of the values, such as `nats`, `%`. */
  readonly unit: string;
  /** A sentence for readers who do not know the measure. */
  readonly note?: string;
  /** Name of the horizontal axis. Defaults to `generation`. */
  readonly axis?: string;
  /** Ends of the axis. Default to the range of the values. */
  readonly range?: readonly [low: number, high: number];
  /** At least one, each with at least one point. */
  readonly curves: readonly Curve[];
}

/** The place of a point on the horizontal axis. */
export function placeOf({ at, generation }: CurvePoint): number {
  return at ?? generation;
}
