import type { Rng } from '../../env/random.js';
import { isLearnt } from '../shards/sample.js';
import type { ShardRows } from '../shards/shard-rows.js';

/** How the rows of a window are sampled. */
export interface SamplingOptions {
  /** Samples this share of rows, in [0, 1], from the first `shards` shards. Defaults to equal chances for all rows. */
  readonly apart?: { readonly shards: number; readonly share: number };
  /**
   * Part of a row's sampling weight, in [0, 1], that is proportional to its surprise, which counts as at most
   * `GREATEST_SURPRISE` times the mean of all known ones. Defaults to 0.
   *
   * @see Wu 2019-2024, KataGo's docs/KataGoMethods.md, "Policy Surprise Weighting".
   */
  readonly surpriseShare?: number;
}

/** Greatest surprise that counts, as a multiple of the mean, so that no row dominates. */
const GREATEST_SURPRISE = 8;

/** `count` of the rows, evenly spaced. */
function spread(rows: Uint32Array, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]!);
}

/**
 * The rows of several shards, to sample for training and validation. A row is a number in `[0, rows)`, in the order of
 * the shards. Memory: that of the shards, and 8 bytes a row, 16 if surprise counts. Runs in browsers, too.
 */
export class RowWindow {
  readonly rows: number;
  /** Training rows, ascending; rows excluded from learning (`isLearnt`) are in neither part. */
  readonly trainingRows: Uint32Array;
  /** Validation rows, ascending. */
  readonly validationRows: Uint32Array;
  private readonly shards: readonly ShardRows[];
  /** `[rows]` index of each row's shard. */
  private readonly shardOfRow: Uint16Array;
  /** `[shards]` first row of each shard. */
  private readonly firstRow: Uint32Array;
  /** Number of `trainingRows` in the shards that are sampled apart, and their share of samples. */
  private readonly apart: { readonly rows: number; readonly share: number };
  /** First row of the shards that are not sampled apart. */
  private readonly firstOfOthers: number;
  /** `[trainingRows + 1]` sums of the weights of the rows before each; null if all rows weigh the same. */
  private readonly chances: Float64Array | null;

  /** @param isValidation whether a game of a shard, by its index, is kept for validation. */
  constructor(
    shards: readonly ShardRows[],
    isValidation: (shard: number, gameId: number) => boolean,
    { apart, surpriseShare = 0 }: SamplingOptions = {},
  ) {
    this.shards = shards;
    this.rows = shards.reduce((sum, { columns }) => sum + columns.rows, 0);
    this.shardOfRow = new Uint16Array(this.rows);
    this.firstRow = new Uint32Array(shards.length);
    const training = new Uint32Array(this.rows);
    const validation = new Uint32Array(this.rows);
    let [row, trainingCount, validationCount] = [0, 0, 0];
    for (const [index, { columns: shard }] of shards.entries()) {
      this.firstRow[index] = row;
      this.shardOfRow.fill(index, row, row + shard.rows);
      for (const [i, gameId] of shard.gameIds.subarray(0, shard.rows).entries()) {
        const weights = { policyWeight: shard.policyWeights[i]!, searchSize: shard.searchSizes[i]! };
        if (!isLearnt(weights)) continue;
        if (isValidation(index, gameId)) validation[validationCount++] = row + i;
        else training[trainingCount++] = row + i;
      }
      row += shard.rows;
    }
    this.trainingRows = training.slice(0, trainingCount);
    this.validationRows = validation.slice(0, validationCount);
    const firstOfOthers = this.firstRow[apart?.shards ?? 0] ?? this.rows;
    const rowsApart = apart === undefined ? 0 : this.trainingRows.findIndex((each) => each >= firstOfOthers);
    this.apart = { rows: rowsApart === -1 ? trainingCount : rowsApart, share: apart?.share ?? 0 };
    this.firstOfOthers = firstOfOthers;
    this.chances = surpriseShare === 0 ? null : this.sumChances(surpriseShare);
  }

  private sumChances(surpriseShare: number): Float64Array {
    const { trainingRows } = this;
    const surprises = Float64Array.from(
      trainingRows,
      (row) => this.shard(row).columns.surprises[this.index(row)]!,
    );
    const known = surprises.filter((surprise) => !Number.isNaN(surprise));
    const mean = known.reduce((sum, surprise) => sum + surprise, 0) / known.length;
    const chances = new Float64Array(trainingRows.length + 1);
    for (const [i, surprise] of surprises.entries()) {
      // Rows without a known surprise count as the mean; so do all rows if the mean is 0 or unknown.
      const ratio = Number.isNaN(surprise) || !(mean > 0) ? 1 : Math.min(GREATEST_SURPRISE, surprise / mean);
      chances[i + 1] = chances[i]! + 1 - surpriseShare + surpriseShare * ratio;
    }
    return chances;
  }

  /** Number of training rows that are not sampled apart; of all training rows if there are no others. */
  get ordinaryRows(): number {
    const others = this.trainingRows.length - this.apart.rows;
    return others === 0 ? this.trainingRows.length : others;
  }

  /** Number of training rows that are sampled apart: the first ones of `trainingRows`. */
  get rowsApart(): number {
    return this.apart.rows;
  }

  /** Sampling weight of a training row, relative to those of the rows sampled with it; 1 if all rows weigh the same. */
  chanceOf(row: number): number {
    const { chances, trainingRows } = this;
    if (chances === null) return 1;
    let [low, high] = [0, trainingRows.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (trainingRows[middle]! >= row) high = middle;
      else low = middle + 1;
    }
    return chances[low + 1]! - chances[low]!;
  }

  /** The shard of `row`; `index` is its row there. */
  shard(row: number): ShardRows {
    return this.shards[this.shardOfRow[row]!]!;
  }

  /** The index of `row` in `shard(row)`. */
  index(row: number): number {
    return row - this.firstRow[this.shardOfRow[row]!]!;
  }

  /** Fills `out` with training rows sampled by their weights, with replacement. */
  drawTrainingRows(rng: Rng, out: Uint32Array): void {
    const { trainingRows, apart } = this;
    const all = trainingRows.length;
    // If one part has no rows, all samples are from the other.
    const isDivided = apart.rows > 0 && apart.rows < all;
    for (let i = 0; i < out.length; i++) {
      if (!isDivided) out[i] = trainingRows[this.draw(rng, 0, all)]!;
      else if (rng.float() < apart.share) out[i] = trainingRows[this.draw(rng, 0, apart.rows)]!;
      else out[i] = trainingRows[this.draw(rng, apart.rows, all)]!;
    }
  }

  /**
   * At most `most` validation rows, evenly spaced. The share of rows from the shards that are sampled apart is that of
   * training samples, so that training and validation losses can be compared.
   */
  spreadValidationRows(most: number): Uint32Array {
    const { validationRows: all, apart, firstOfOthers } = this;
    const border = all.findIndex((row) => row >= firstOfOthers);
    // If one part has no rows, all rows are from the other.
    if (border <= 0) return spread(all, Math.min(most, all.length));
    const others = all.length - border;
    const total = Math.min(most, border / apart.share, others / (1 - apart.share));
    const ofApart = Math.round(total * apart.share);
    return Uint32Array.of(
      ...spread(all.subarray(0, border), ofApart),
      ...spread(all.subarray(border), Math.floor(total) - ofApart),
    );
  }

  /** Samples an index of `trainingRows` in `[from, to)`. */
  private draw(rng: Rng, from: number, to: number): number {
    const { chances } = this;
    if (chances === null) return from + rng.integer(to - from);
    const target = chances[from]! + rng.float() * (chances[to]! - chances[from]!);
    let [low, high] = [from, to - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (chances[middle + 1]! > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
