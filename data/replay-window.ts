import { mixBits, type Rng } from '../env/random.js';
import { DataError } from './errors.js';
import type { ShardColumns } from './shard-columns.js';
import { readShard, type ShardGame } from './shard.js';

/** How a window is opened. */
export interface ReplayWindowOptions {
  /** What the shards must be of. */
  readonly game: ShardGame;
  /** Share of the games, in [0, 1], whose rows are held back for validation. */
  readonly validationShare: number;
}

/**
 * Whether a game is held back for validation: by its identity alone, so that it stays on its side of the
 * split in every window and every process.
 */
export function isValidationGame(seed: number, gameId: number, share: number): boolean {
  const both = Math.imul(gameId, 0x9e3779b9) ^ (seed | 0) ^ Math.floor(seed / 2 ** 32);
  const hash = mixBits(mixBits(both));
  return (hash >>> 0) / 2 ** 32 < share;
}

/**
 * The rows that the learner may draw, from several shards. A row is a number in `[0, rows)`; shards keep
 * their order. Memory: the bytes of the shards and 8 more a row.
 */
export class ReplayWindow {
  readonly rows: number;
  /** Rows to learn from, ascending. */
  readonly trainingRows: Uint32Array;
  /** Rows of the games held back, ascending. */
  readonly validationRows: Uint32Array;
  private readonly shards: readonly ShardColumns[];
  /** `[rows]` which shard a row is in. */
  private readonly shardOfRow: Uint16Array;
  /** `[shards]` the first row of each. */
  private readonly firstRow: Uint32Array;

  private constructor(
    shards: readonly ShardColumns[],
    isValidation: (shard: number, gameId: number) => boolean,
  ) {
    this.shards = shards;
    this.rows = shards.reduce((sum, shard) => sum + shard.rows, 0);
    this.shardOfRow = new Uint16Array(this.rows);
    this.firstRow = new Uint32Array(shards.length);
    const training = new Uint32Array(this.rows);
    const validation = new Uint32Array(this.rows);
    let [row, trainingCount, validationCount] = [0, 0, 0];
    for (const [index, shard] of shards.entries()) {
      this.firstRow[index] = row;
      this.shardOfRow.fill(index, row, row + shard.rows);
      for (const gameId of shard.gameIds.subarray(0, shard.rows)) {
        if (isValidation(index, gameId)) validation[validationCount++] = row++;
        else training[trainingCount++] = row++;
      }
    }
    this.trainingRows = training.slice(0, trainingCount);
    this.validationRows = validation.slice(0, validationCount);
  }

  /**
   * Reads the shards, each checked.
   *
   * Throws `DataError`: what `readShard` throws, or `window-empty` where no row is left to learn from.
   */
  static async open(paths: readonly string[], options: ReplayWindowOptions): Promise<ReplayWindow> {
    const shards: ShardColumns[] = [];
    const seeds: number[] = [];
    for (const path of paths) {
      const { columns, metadata } = await readShard(path, options.game);
      shards.push(columns);
      seeds.push(metadata.seed);
    }
    const window = new ReplayWindow(shards, (shard, gameId) =>
      isValidationGame(seeds[shard]!, gameId, options.validationShare),
    );
    if (window.trainingRows.length > 0) return window;
    throw new DataError('window-empty', `expected rows to learn from in ${paths.length} shards, found none`);
  }

  /** The columns that hold `row`; `index` says where in them. */
  shard(row: number): ShardColumns {
    return this.shards[this.shardOfRow[row]!]!;
  }

  /** Where `row` lies in the columns of `shard(row)`. */
  index(row: number): number {
    return row - this.firstRow[this.shardOfRow[row]!]!;
  }

  /** Fills `out` with rows drawn from those to learn from, uniformly, with repetition. */
  drawTrainingRows(rng: Rng, out: Uint32Array): void {
    const { trainingRows } = this;
    for (let i = 0; i < out.length; i++) out[i] = trainingRows[rng.integer(trainingRows.length)]!;
  }
}
