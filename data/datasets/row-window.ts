import type { Rng } from '../../env/random.js';
import { isLearnt } from '../shards/sample.js';
import type { ShardRows } from '../shards/shard-rows.js';

/** How the rows of a window are sampled. */
export interface SamplingOptions {
  /** Samples this share of rows, in [0, 1], from the first `shards` shards. Defaults to equal chances for all rows. */
  readonly apart?: { readonly shards: number; readonly share: number };
}

/** `count` of the rows, evenly spaced. */
export function spreadRows(rows: Uint32Array, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]!);
}

/**
 * The rows of several shards, to sample for training and validation. A row is a number in `[0, rows)`, in the order of
 * the shards. Memory: that of the shards, and 8 bytes a row. Runs in browsers, too.
 */
export class RowWindow {
  readonly rows: number;
  /** Training rows, ascending; rows excluded from learning (`isLearnt`) are in neither part. */
  readonly trainingRows: Uint32Array;
  /** Validation rows, ascending. */
  readonly validationRows: Uint32Array;
  private readonly shards: readonly ShardRows[];
  /** `[rows]` index of each row's shard. */
  private readonly shardOfRow: Uint32Array;
  /** `[shards]` first row of each shard. */
  private readonly firstRow: Uint32Array;
  /** Number of `trainingRows` in the shards that are sampled apart, and their share of samples. */
  private readonly apart: { readonly rows: number; readonly share: number };
  /** First row of the shards that are not sampled apart. */
  private readonly firstOfOthers: number;

  /** @param isValidation whether a game of a shard, by its index, is kept for validation. */
  constructor(
    shards: readonly ShardRows[],
    isValidation: (shard: number, gameId: number) => boolean,
    { apart }: SamplingOptions = {},
  ) {
    this.shards = shards;
    this.rows = shards.reduce((sum, { columns }) => sum + columns.rows, 0);
    this.shardOfRow = new Uint32Array(this.rows);
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
  }

  /** Number of training rows that are not sampled apart; of all training rows if there are no others. */
  get ordinaryRows(): number {
    const others = this.trainingRows.length - this.apart.rows;
    return others === 0 ? this.trainingRows.length : others;
  }

  /** The shard of `row`; `index` is its row there. */
  shard(row: number): ShardRows {
    return this.shards[this.shardOfRow[row]!]!;
  }

  /** The index of `row` in `shard(row)`. */
  index(row: number): number {
    return row - this.firstRow[this.shardOfRow[row]!]!;
  }

  /** Fills `out` with training rows sampled uniformly within each part, with replacement. */
  drawTrainingRows(rng: Rng, out: Uint32Array): void {
    const { trainingRows, apart } = this;
    const all = trainingRows.length;
    // If one part has no rows, all samples are from the other.
    const isDivided = apart.rows > 0 && apart.rows < all;
    for (let i = 0; i < out.length; i++) {
      if (!isDivided) out[i] = trainingRows[rng.integer(all)]!;
      else if (rng.float() < apart.share) out[i] = trainingRows[rng.integer(apart.rows)]!;
      else out[i] = trainingRows[apart.rows + rng.integer(all - apart.rows)]!;
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
    if (border <= 0) return spreadRows(all, Math.min(most, all.length));
    const others = all.length - border;
    const total = Math.min(most, border / apart.share, others / (1 - apart.share));
    const ofApart = Math.round(total * apart.share);
    return Uint32Array.of(
      ...spreadRows(all.subarray(0, border), ofApart),
      ...spreadRows(all.subarray(border), Math.floor(total) - ofApart),
    );
  }
}
