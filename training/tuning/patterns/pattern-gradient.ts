import {
  HIDDEN,
  PATTERN_PARTS,
  type PatternPart,
  partSize,
  STONE_CHANNELS,
  WINDOW_CHANNELS,
} from '../../../env/gess/heuristics/patterns/pattern-weights.js';

/** A sparse gradient of a table of vectors: zeros but for the touched rows. */
export class SparseGradient {
  readonly values: Float32Array;
  /** The touched rows, `count` of them. */
  readonly touched: Int32Array;
  count = 0;
  private readonly isTouched: Uint8Array;
  private readonly channels: number;

  constructor(rows: number, channels: number) {
    this.channels = channels;
    this.values = new Float32Array(rows * channels);
    this.touched = new Int32Array(rows);
    this.isTouched = new Uint8Array(rows);
  }

  /** Adds `slopes[from …]` to a row. */
  add(row: number, slopes: Float32Array, from: number): void {
    if (this.isTouched[row] === 0) {
      this.isTouched[row] = 1;
      this.touched[this.count++] = row;
    }
    const to = row * this.channels;
    for (let k = 0; k < this.channels; k++) this.values[to + k]! += slopes[from + k]!;
  }

  /** Makes all zero again. */
  clear(): void {
    for (let i = 0; i < this.count; i++) {
      const row = this.touched[i]!;
      this.isTouched[row] = 0;
      this.values.fill(0, row * this.channels, (row + 1) * this.channels);
    }
    this.count = 0;
  }
}

/** The gradient of a pattern network: sparse for the vectors, dense for the rest. */
export class PatternGradient {
  readonly windows = new SparseGradient(PATTERN_PARTS.windows[0], WINDOW_CHANNELS);
  readonly places = new SparseGradient(partSize('places') / STONE_CHANNELS, STONE_CHANNELS);
  readonly dense: Readonly<Record<Exclude<PatternPart, 'windows' | 'places'>, Float32Array>> = {
    sumBias: new Float32Array(partSize('sumBias')),
    hidden1: new Float32Array(partSize('hidden1')),
    hidden1Bias: new Float32Array(HIDDEN),
    hidden2: new Float32Array(partSize('hidden2')),
    hidden2Bias: new Float32Array(HIDDEN),
    output: new Float32Array(HIDDEN),
    outputBias: new Float32Array(1),
  };

  clear(): void {
    this.windows.clear();
    this.places.clear();
    for (const part of Object.values(this.dense)) part.fill(0);
  }
}
