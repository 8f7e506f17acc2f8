/** One bar of a histogram: how many values lie in `[from, to)`. */
export interface HistogramBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Summary of a histogram; the numbers are null if it is empty. */
export interface HistogramSummary {
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Adjacent bins, ascending, from the one of `min` to the one of `max`, including empty ones. */
  readonly bins: readonly HistogramBin[];
}

/** Beyond this number of bins, pairs of bins are merged. */
const MAX_KEPT_BINS = 1024;

/**
 * The smallest number of bins to merge, at least `least`: 1, 2, 5, 10, 20, … for integers, a power of two for
 * fractions.
 */
function niceFactor(least: number, isWhole: boolean): number {
  if (!isWhole) return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
  for (let power = 1; ; power *= 10) {
    for (const digit of [1, 2, 5]) if (digit * power >= least) return digit * power;
  }
}

/**
 * Counts numbers of any range in bins of equal width, in bounded memory: the width doubles when there are too many
 * bins. Count, minimum, maximum and mean are exact.
 */
export class Histogram {
  private width: number;
  private counts = new Map<number, number>();
  private count = 0;
  private sum = 0;
  private min = Infinity;
  private max = -Infinity;

  /** @param width of a bin: 1 for integers, otherwise a power of two, for exact bounds. Bins begin at its multiples. */
  constructor(width: number) {
    this.width = width;
  }

  /** Adds a finite number. */
  add(value: number): void {
    this.count += 1;
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    const bin = Math.floor(value / this.width);
    this.counts.set(bin, (this.counts.get(bin) ?? 0) + 1);
    while (this.counts.size > MAX_KEPT_BINS) this.widen();
  }

  /** The numbers added so far, in at most `maxBins` bins. */
  summary(maxBins = 16): HistogramSummary {
    const { count } = this;
    if (count === 0) return { count, min: null, max: null, mean: null, bins: [] };
    const [first, last] = [Math.floor(this.min / this.width), Math.floor(this.max / this.width)];
    const isWhole = Number.isInteger(this.width);
    let factor = niceFactor((last - first + 1) / maxBins, isWhole);
    // Multiples of the factor may cut both the first and the last bin.
    while (Math.floor(last / factor) - Math.floor(first / factor) >= maxBins) {
      // Above 2^53, adding 1 would not change it.
      factor = niceFactor(factor * 1.5, isWhole);
    }
    const [start, end] = [Math.floor(first / factor), Math.floor(last / factor)];
    const sums = new Array<number>(end - start + 1).fill(0);
    for (const [bin, values] of this.counts) sums[Math.floor(bin / factor) - start]! += values;
    const width = this.width * factor;
    const bins = sums.map((values, index) => {
      return { from: (start + index) * width, to: (start + index + 1) * width, count: values };
    });
    return { count, min: this.min, max: this.max, mean: this.sum / count, bins };
  }

  private widen(): void {
    const wider = new Map<number, number>();
    for (const [bin, values] of this.counts) {
      const half = Math.floor(bin / 2);
      wider.set(half, (wider.get(half) ?? 0) + values);
    }
    this.width *= 2;
    this.counts = wider;
  }
}
