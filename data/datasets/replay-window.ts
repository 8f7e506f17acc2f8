import { mixBits, type Rng } from '../../env/random.js';
import { DataError } from '../data-error.js';
import { GameRegister } from './game-register.js';
import { rowsInMemory, rowsOnDisk, type ShardRows } from '../shards/shard-rows.js';
import { readShardFile, type ShardGame } from '../shards/shard.js';

/** How a window is opened. */
export interface ReplayWindowOptions {
  /** What the shards must be of. */
  readonly game: ShardGame;
  /** Share of the games, in [0, 1], whose rows are held back for validation. */
  readonly validationShare: number;
  /** The first so many shards are drawn from apart, this share of all rows in [0, 1]; left out: all alike. */
  readonly apart?: { readonly shards: number; readonly share: number };
  /**
   * Part of a row's chance, in [0, 1], that is in proportion to its surprise, at most `GREATEST_SURPRISE` times the mean
   * of the rows where it is known; left out: 0, all alike.
   *
   * @see Wu 2019-2024, KataGo's docs/KataGoMethods.md, "Policy Surprise Weighting".
   */
  readonly surpriseShare?: number;
  /**
   * Bytes of shards that are held in memory; of what is beyond them only the small columns are, about 40 bytes a row, and
   * rows are read from the disk when they are drawn. Left out: all are held. What is drawn does not depend on it.
   */
  readonly memoryBytes?: number;
  /** Whether a game that comes twice is an error; left out: it is not looked for. */
  readonly eachGameOnce?: boolean;
}

/** How many times the mean a row's surprise counts at most, so that no row is drawn for ever. */
const GREATEST_SURPRISE = 8;

/**
 * Whether a game is held back for validation: by its identity alone, so that it stays on its side of the
 * split in every window and every process.
 */
export function isValidationGame(seed: number, gameId: number, share: number): boolean {
  const both = Math.imul(gameId, 0x9e3779b9) ^ (seed | 0) ^ Math.floor(seed / 2 ** 32);
  const hash = mixBits(mixBits(both));
  return (hash >>> 0) / 2 ** 32 < share;
}

/** So many of the rows, evenly spread. */
function spread(rows: Uint32Array, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]!);
}

/**
 * The rows that the learner may draw, from several shards. A row is a number in `[0, rows)`; shards keep
 * their order. Memory: the bytes of the shards, up to a limit, and 8 more a row, 16 where surprise counts.
 */
export class ReplayWindow {
  readonly rows: number;
  /** Rows to learn from, ascending. */
  readonly trainingRows: Uint32Array;
  /** Rows of the games held back, ascending. */
  readonly validationRows: Uint32Array;
  private readonly shards: readonly ShardRows[];
  /** `[rows]` which shard a row is in. */
  private readonly shardOfRow: Uint16Array;
  /** `[shards]` the first row of each. */
  private readonly firstRow: Uint32Array;
  /** How many of `trainingRows` are of the shards drawn apart, and how often these are drawn. */
  private readonly apart: { readonly rows: number; readonly share: number };
  /** The first row of the shards that are not drawn apart. */
  private readonly firstOfOthers: number;
  /** `[trainingRows + 1]` sums of the chances of the rows before each; null where all are alike. */
  private readonly chances: Float64Array | null;

  private constructor(
    shards: readonly ShardRows[],
    isValidation: (shard: number, gameId: number) => boolean,
    { apart, surpriseShare = 0 }: ReplayWindowOptions,
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
      for (const gameId of shard.gameIds.subarray(0, shard.rows)) {
        if (isValidation(index, gameId)) validation[validationCount++] = row++;
        else training[trainingCount++] = row++;
      }
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
      // Rows without a surprise, and all rows where nothing surprised, count as the mean.
      const ratio = Number.isNaN(surprise) || !(mean > 0) ? 1 : Math.min(GREATEST_SURPRISE, surprise / mean);
      chances[i + 1] = chances[i]! + 1 - surpriseShare + surpriseShare * ratio;
    }
    return chances;
  }

  /**
   * Reads the shards, each checked.
   *
   * Throws `DataError`: what `readShard` throws, `dataset-duplicate` where each game must come once, or `window-empty`
   * where no row is left to learn from.
   */
  static async open(paths: readonly string[], options: ReplayWindowOptions): Promise<ReplayWindow> {
    const shards: ShardRows[] = [];
    let memory = options.memoryBytes ?? Infinity;
    const seeds: number[] = [];
    const games = options.eachGameOnce === true ? new GameRegister() : null;
    for (const path of paths) {
      const shard = await readShardFile(path, options.game);
      games?.add(path, shard);
      const { columns, metadata, bytes } = shard;
      memory -= bytes.length;
      shards.push(memory >= 0 ? rowsInMemory(columns) : rowsOnDisk(path, columns, bytes));
      seeds.push(metadata.seed);
    }
    const window = new ReplayWindow(
      shards,
      (shard, gameId) => isValidationGame(seeds[shard]!, gameId, options.validationShare),
      options,
    );
    if (window.trainingRows.length > 0) return window;
    throw new DataError('window-empty', `expected rows to learn from in ${paths.length} shards, found none`);
  }

  /** Rows to learn from that are not drawn apart; all of them where that would be none. */
  get ordinaryRows(): number {
    const others = this.trainingRows.length - this.apart.rows;
    return others === 0 ? this.trainingRows.length : others;
  }

  /** How many of `trainingRows`, the first, are drawn apart from the others. */
  get rowsApart(): number {
    return this.apart.rows;
  }

  /** The chance of a row to learn from among those that it is drawn with, in proportion to theirs: 1 where all are alike. */
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

  /** The shard that holds `row`; `index` says where in it. */
  shard(row: number): ShardRows {
    return this.shards[this.shardOfRow[row]!]!;
  }

  /** Where `row` lies in `shard(row)`. */
  index(row: number): number {
    return row - this.firstRow[this.shardOfRow[row]!]!;
  }

  /** Fills `out` with rows drawn from those to learn from, with repetition, by their chances. */
  drawTrainingRows(rng: Rng, out: Uint32Array): void {
    const { trainingRows, apart } = this;
    const all = trainingRows.length;
    // Where one of the two has no rows, the other is drawn from.
    const isDivided = apart.rows > 0 && apart.rows < all;
    for (let i = 0; i < out.length; i++) {
      if (!isDivided) out[i] = trainingRows[this.draw(rng, 0, all)]!;
      else if (rng.float() < apart.share) out[i] = trainingRows[this.draw(rng, 0, apart.rows)]!;
      else out[i] = trainingRows[this.draw(rng, apart.rows, all)]!;
    }
  }

  /**
   * At most `most` of the rows held back, evenly spread. Of the shards that are drawn apart there are as many among them as
   * among the rows that are drawn, so that losses of both can be compared.
   */
  spreadValidationRows(most: number): Uint32Array {
    const { validationRows: all, apart, firstOfOthers } = this;
    const border = all.findIndex((row) => row >= firstOfOthers);
    // Where one of the two has no rows, the other is looked at.
    if (border <= 0) return spread(all, Math.min(most, all.length));
    const others = all.length - border;
    const total = Math.min(most, border / apart.share, others / (1 - apart.share));
    const ofApart = Math.round(total * apart.share);
    return Uint32Array.of(
      ...spread(all.subarray(0, border), ofApart),
      ...spread(all.subarray(border), Math.floor(total) - ofApart),
    );
  }

  /** A place in `trainingRows` from `from` to `to`, not included. */
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
