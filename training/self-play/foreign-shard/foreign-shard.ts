import { readInput } from '../../../data/files/input-file.js';
import { checkShardRows } from '../../../data/shards/shard-check.js';
import { columnsOf, sampleOf, type ShardColumns } from '../../../data/shards/shard-columns.js';
import { decodeShard } from '../../../data/shards/shard-decoding.js';
import { encodeShard } from '../../../data/shards/shard-encoding.js';
import type { Sample } from '../../../data/shards/sample.js';
import type { Action, Game } from '../../../env/game.js';
import { CodedError } from '../../../env/errors.js';
import { createGame } from '../../../env/games.js';
import { type Kernels, MODEL_OPENERS, withKernels } from '../model-kernels.js';
import type { FinishedGame } from '../training-game.js';
import type { GameStatistics } from '../self-play-statistics.js';
import type { ShardJob } from '../shard-job.js';
import { metadataOf } from '../shard-content.js';
import { playJobGames } from '../shard-play.js';
import { movesProblem } from './moves-check.js';
import { RowComparison } from './row-comparison.js';
import { settingsProblem } from './settings-check.js';
import { statisticsProblem } from './statistics-check.js';

/** A shard from another machine to judge; plain JSON, which can be sent to another process. */
export interface ForeignShard {
  readonly job: ShardJob;
  /** File with the shard's bytes; it has no manifest. */
  readonly file: string;
  /** Statistics of each game, by number, as the other machine states them. */
  readonly games: readonly GameStatistics[];
  /** Numbers of the games to replay. */
  readonly replayed: readonly number[];
  /**
   * How the other machine evaluates networks. Games that are replayed with the same kernels must be equal to the byte.
   * With `other` kernels, whose last bits this machine cannot reproduce, the shard's moves are replayed on
   * ONNX Runtime's WebAssembly build, whose bits are the same everywhere, and compared with a tolerance.
   */
  readonly kernels: Kernels | 'other';
}

/** The first row of each game, and the end of the last one; null if the games are not those of the job, in order. */
function gameStarts(
  { gameIds, rows }: ShardColumns,
  { firstGame, games }: ShardJob,
): readonly number[] | null {
  const starts = new Array<number>(games + 1).fill(rows);
  let expected = firstGame;
  for (let row = 0; row < rows; row++) {
    const game = gameIds[row]!;
    // Games without rows are skipped.
    if (game < firstGame || game < expected - 1 || game >= firstGame + games) return null;
    while (expected <= game) starts[expected++ - firstGame] = row;
  }
  return starts;
}

/** Describes the first contradiction in the rows of any game; null if there is none. */
function gamesProblem(
  game: Game<unknown>,
  columns: ShardColumns,
  { job, games }: ForeignShard,
): string | null {
  if (games.length !== job.games) return `statistics of ${games.length} games instead of ${job.games}`;
  const starts = gameStarts(columns, job);
  if (starts === null) return `games other than ${job.firstGame} to ${job.firstGame + job.games - 1}`;
  for (const [index, counts] of games.entries()) {
    const [start, end] = [starts[index]!, starts[index + 1]!];
    const problem =
      movesProblem(game, columns, start, end) ??
      statisticsProblem(game, columns, [start, end], counts) ??
      settingsProblem(columns, [start, end], counts, job.source);
    if (problem !== null) return `game ${job.firstGame + index} with ${problem}`;
  }
  return null;
}

/** Runs of consecutive numbers. */
function rangesOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[0] + last[1] === number) last[1] += 1;
    else ranges.push([number, 1]);
  }
  return ranges;
}

/** The rows of a game. */
function rowsOf(columns: ShardColumns, starts: readonly number[], index: number): readonly Sample[] {
  const [start, end] = [starts[index]!, starts[index + 1]!];
  return Array.from({ length: end - start }, (_, row) => sampleOf(columns, start + row));
}

/** Describes how searches with WebAssembly differ from those in another processor's shard; null if they hardly do. */
async function foreignProblem(
  game: Game<unknown>,
  columns: ShardColumns,
  { job, replayed }: ForeignShard,
): Promise<string | null> {
  const starts = gameStarts(columns, job)!;
  const comparison = new RowComparison();
  for (const [firstGame, count] of rangesOf(replayed)) {
    const sent = new Map<number, readonly Sample[]>();
    for (let id = firstGame; id < firstGame + count; id++)
      sent.set(id, rowsOf(columns, starts, id - job.firstGame));
    const moves = new Map(
      [...sent].map(([id, rows]) => [id, new Map(rows.map(({ ply, played }) => [ply, played]))]),
    );
    const recorded = (id: number, ply: number): Action | null => moves.get(id)?.get(ply) ?? null;
    const own = await playJobGames(
      game,
      { ...job, firstGame, games: count },
      { recorded, openModel: MODEL_OPENERS.portable },
    );
    for (const { gameId, samples } of own.games) comparison.add(sent.get(gameId)!, samples);
  }
  return comparison.isAlike ? null : comparison.summary;
}

/** Describes the first game that this machine plays differently; null if there is none. */
async function replayProblem(
  game: Game<unknown>,
  columns: ShardColumns,
  { job, games, replayed }: ForeignShard,
  kernels: Kernels,
): Promise<string | null> {
  const starts = gameStarts(columns, job)!;
  const bytesOf = (samples: FinishedGame['samples']): Uint8Array =>
    encodeShard(columnsOf(samples, game.packedSize), metadataOf(game, job));
  for (const [firstGame, count] of rangesOf(replayed)) {
    const range = { ...job, firstGame, games: count };
    const own = await withKernels(kernels, (openModel) => playJobGames(game, range, { openModel }));
    for (const { gameId, samples, statistics } of own.games) {
      const index = gameId - job.firstGame;
      const rows = rowsOf(columns, starts, index);
      const isSame =
        rows.length === samples.length &&
        Buffer.compare(bytesOf(rows), bytesOf(samples)) === 0 &&
        JSON.stringify(statistics) === JSON.stringify(games[index]);
      if (!isSame) return `game ${gameId}, which differs when it is replayed`;
    }
  }
  return null;
}

/**
 * Judges a shard from another machine. A sound shard has the bytes that this program writes for its rows; every row
 * agrees with the rules and with the settings of the job; every move leads to the next row; games, counts and results
 * agree; and the games in `replayed` are the same when this machine plays them.
 *
 * @returns a description of the first problem, which can follow the word "found"; null if there is none.
 * @throws NotationError for the game; errors of playing the job.
 */
export async function judgeShard(shard: ForeignShard): Promise<string | null> {
  const { job, file } = shard;
  const game = createGame(job.game.id, job.game.rules);
  const bytes = await readInput(file, 'shard');
  let columns: ShardColumns;
  try {
    const decoded = decodeShard(file, bytes);
    checkShardRows(file, decoded);
    columns = decoded.columns;
  } catch (error) {
    if (error instanceof CodedError) return `a shard that cannot be read: ${error.message}`;
    throw error;
  }
  if (Buffer.compare(encodeShard(columns, metadataOf(game, job)), bytes) !== 0) {
    return 'metadata or a layout other than those of the job';
  }
  const problem = gamesProblem(game, columns, shard);
  if (problem !== null) return problem;
  const { kernels } = shard;
  return kernels === 'other'
    ? foreignProblem(game, columns, shard)
    : replayProblem(game, columns, shard, kernels);
}
