import { mixBits } from '../../env/random.js';
import { DataError } from '../data-error.js';
import { rowsOnDisk } from '../shards/disk-rows.js';
import { rowsInMemory, type ShardRows } from '../shards/shard-rows.js';
import { readShardFile, type ShardGame } from '../shards/shard.js';
import type { ShardColumns } from '../shards/shard-columns.js';
import { GameRegister } from './game-register.js';
import { RowWindow, type SamplingOptions } from './row-window.js';

/** Options of a replay window. */
export interface ReplayWindowOptions extends SamplingOptions {
  /** Game of the shards. */
  readonly game: ShardGame;
  /** Share of the games, in [0, 1], whose rows are kept for validation. */
  readonly validationShare: number;
  /**
   * Bytes of shards to hold in memory. For shards beyond this limit, only the small columns are in memory, about 40
   * bytes a row; the rest of a row is read from the disk when it is sampled. Defaults to no limit. Samples do not
   * depend on it.
   */
  readonly memoryBytes?: number;
  /** Whether a game that occurs twice is an error. Defaults to false. */
  readonly eachGameOnce?: boolean;
  /** Called with each shard as it is read, so that nothing reads it again. */
  readonly onShard?: (path: string, columns: ShardColumns) => void;
}

/**
 * Whether a game is kept for validation. Depends only on the game's identity, so that it is on the same side of the
 * split in every window and every process.
 */
export function isValidationGame(seed: number, gameId: number, share: number): boolean {
  const both = Math.imul(gameId, 0x9e3779b9) ^ (seed | 0) ^ Math.floor(seed / 2 ** 32);
  const hash = mixBits(mixBits(both));
  return (hash >>> 0) / 2 ** 32 < share;
}

async function openWindow(paths: readonly string[], options: ReplayWindowOptions): Promise<RowWindow> {
  const shards: ShardRows[] = [];
  let memory = options.memoryBytes ?? Infinity;
  const seeds: number[] = [];
  const games = options.eachGameOnce === true ? new GameRegister() : null;
  for (const path of paths) {
    const shard = await readShardFile(path, options.game);
    games?.add(path, shard);
    const { columns, metadata, bytes } = shard;
    options.onShard?.(path, columns);
    memory -= bytes.length;
    shards.push(memory >= 0 ? rowsInMemory(columns) : rowsOnDisk(path, columns, bytes));
    seeds.push(metadata.seed);
  }
  const window = new RowWindow(
    shards,
    (shard, gameId) => isValidationGame(seeds[shard]!, gameId, options.validationShare),
    options,
  );
  if (window.trainingRows.length > 0) return window;
  throw new DataError('window-empty', `expected rows to learn from in ${paths.length} shards, found none`);
}

/** The rows of several shards of a dataset, to sample for training and validation. */
export type ReplayWindow = RowWindow;

/** Opens a `ReplayWindow`. Memory: the bytes of the shards, up to a limit, and 8 bytes a row. */
export const ReplayWindow = {
  /**
   * Reads and checks the shards.
   *
   * @throws DataError as `readShard`; `dataset-duplicate` if games must be unique and one is not; `window-empty`
   *   without training rows.
   */
  open: openWindow,
};
