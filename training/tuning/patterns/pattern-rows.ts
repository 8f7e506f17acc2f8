import { GameRegister } from '../../../data/datasets/game-register.js';
import { isValidationGame } from '../../../data/datasets/replay-window.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { checkShardRows } from '../../../data/shards/shard-check.js';
import { readShard } from '../../../data/shards/shard.js';
import type { ShardColumns } from '../../../data/shards/shard-columns.js';
import { createGess } from '../../../env/gess/gess.js';
import { PADDED_ROWS, SIZE } from '../../../env/gess/gess-board.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { TrainingError } from '../../training-error.js';

/** Words of a row: 18 rows of own stones, 18 of the other's, and both rings' centres. */
export const ROW_WORDS = 38;
const GRID_ROWS = SIZE - 2;

/** Positions with the values to learn. */
export interface PatternRows {
  readonly count: number;
  /**
   * `[count, 38]` in the mover's view, its own side at row 0: rows 1 to 18 of its own stones as bits by column, those
   * of the other player, then the centres of its own ring and of the other's, `row * 20 + column`.
   */
  readonly words: Int32Array;
  /** `[count]` in [-1, 1], to the player to move. */
  readonly values: Float32Array;
}

/** Rows collected so far. */
export class RowCollector {
  private words = new Int32Array(1024 * ROW_WORDS);
  private values = new Float32Array(1024);
  count = 0;

  add(position: GessPosition, value: number): void {
    if (this.count === this.values.length) this.grow();
    const { player, stones, rings } = position;
    const at = this.count * ROW_WORDS;
    for (const [side, color] of [player, 1 - player].entries()) {
      const from = at + side * GRID_ROWS;
      for (let row = 1; row <= GRID_ROWS; row++) {
        const index = player === 0 ? row + 1 : SIZE - row;
        this.words[from + row - 1] = stones[color as 0 | 1][index]!;
      }
      const ring = rings[color]!;
      const row = Math.floor(ring / SIZE);
      this.words[at + 2 * GRID_ROWS + side] = player === 0 ? ring : (SIZE - 1 - row) * SIZE + (ring % SIZE);
    }
    this.values[this.count] = value;
    this.count += 1;
  }

  finish(): PatternRows {
    const { count } = this;
    return { count, words: this.words.slice(0, count * ROW_WORDS), values: this.values.slice(0, count) };
  }

  private grow(): void {
    const words = new Int32Array(2 * this.words.length);
    words.set(this.words);
    this.words = words;
    const values = new Float32Array(2 * this.values.length);
    values.set(this.values);
    this.values = values;
  }
}

/** The stones and the rings of a row, as those of a position with Black to move. */
export function restoreRow(
  { words }: PatternRows,
  row: number,
): { readonly stones: readonly [Int32Array, Int32Array]; readonly rings: Int32Array } {
  const at = row * ROW_WORDS;
  const stonesFrom = (start: number): Int32Array => {
    const board = new Int32Array(PADDED_ROWS);
    board.set(words.subarray(start, start + GRID_ROWS), 2);
    return board;
  };
  return {
    stones: [stonesFrom(at), stonesFrom(at + GRID_ROWS)],
    rings: words.slice(at + 2 * GRID_ROWS, at + ROW_WORDS),
  };
}

/** Settings of the rows to learn. */
export interface PatternRowsOptions {
  readonly rules: string;
  /** Weight of the game's result in the value to learn; the rest is that of the search, or of the network. */
  readonly resultShare: number;
  /** Share of the games that are held back. */
  readonly validationShare: number;
  /** Greatest number of positions to read. */
  readonly maxRows: number;
  /** Called after each shard with the number read and of all. */
  readonly onShard?: (done: number, all: number) => void;
  /** Ends reading early once it is aborted. */
  readonly signal?: AbortSignal;
}

/** The value to learn of a row; null if it has none. */
function valueOf(columns: ShardColumns, row: number, resultShare: number): number | null {
  const root = columns.rootValues[row]!;
  if (Number.isNaN(root)) return null;
  const result = columns.results[row]!;
  return result === NO_RESULT ? root : (1 - resultShare) * root + resultShare * result;
}

/**
 * Reads the positions of shards whose value a search or a network has judged.
 *
 * @returns the rows to learn from, and those of held-back games; null if it was aborted.
 * @throws DataError for shards that cannot be used, and for games that occur twice; TrainingError `distillation-rows`
 *   if one of the two is empty.
 */
export async function readPatternRows(
  shards: readonly string[],
  options: PatternRowsOptions,
): Promise<{ readonly training: PatternRows; readonly held: PatternRows } | null> {
  const game = createGess({ rules: options.rules });
  const games = new GameRegister();
  const training = new RowCollector();
  const held = new RowCollector();
  const isFull = (): boolean => training.count + held.count >= options.maxRows;
  const position = game.initialState();
  for (const [index, path] of shards.entries()) {
    const shard = await readShard(path, game);
    checkShardRows(path, shard);
    games.add(path, shard);
    const { columns, metadata } = shard;
    for (let row = 0; row < columns.rows; row++) {
      const value = valueOf(columns, row, options.resultShare);
      if (value === null || isFull()) continue;
      game.unpack(columns.positions, row * columns.positionSize, position);
      const isHeld = isValidationGame(metadata.seed, columns.gameIds[row]!, options.validationShare);
      (isHeld ? held : training).add(position, value);
    }
    options.onShard?.(index + 1, shards.length);
    if (options.signal?.aborted === true) return null;
    if (isFull()) break;
  }
  const rows = { training: training.finish(), held: held.finish() };
  if (rows.training.count > 0 && rows.held.count > 0) return rows;
  throw new TrainingError(
    'distillation-rows',
    `expected judged positions of at least two games, one held back; got ${rows.training.count} and ${rows.held.count}`,
  );
}
