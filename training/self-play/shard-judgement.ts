import { readInput } from '../../data/files/input-file.js';
import { checkShardRows } from '../../data/shards/shard-check.js';
import { columnsOf, sampleOf, type ShardColumns } from '../../data/shards/shard-columns.js';
import { decodeShard } from '../../data/shards/shard-decoding.js';
import { encodeShard } from '../../data/shards/shard-encoding.js';
import { isLearnt, type Sample } from '../../data/shards/sample.js';
import { type Action, type Game, NO_ACTION } from '../../env/game.js';
import { CodedError } from '../../env/errors.js';
import { createGame } from '../../env/games.js';
import { type Kernels, MODEL_OPENERS, withKernels } from './model-kernels.js';
import type { FinishedGame } from './game-record.js';
import type { GameStatistics } from './self-play-statistics.js';
import { RowComparison } from './row-comparison.js';
import type { ShardJob } from './shard-job.js';
import { metadataOf } from './shard-content.js';
import { playJobGames } from './shard-play.js';

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
   * With `other` ones, whose last bits are none of this machine's, games are replayed with the shard's moves on ONNX
   * Runtime's WebAssembly build, whose bits are the same everywhere, and compared with a tolerance.
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
    if (game < expected - 1 || game >= firstGame + games) return null;
    while (expected <= game) starts[expected++ - firstGame] = row;
  }
  return starts;
}

/** Follows the moves of one game's rows. */
class GameReplay {
  private readonly game: Game<unknown>;
  /** The position of a row, with the moves played since. */
  private readonly state: unknown;
  private readonly other: unknown;
  private readonly packed: Uint8Array;
  /** Whether `state` has every move of the game. */
  private isWhole = false;

  constructor(game: Game<unknown>) {
    this.game = game;
    this.state = game.initialState();
    this.other = game.initialState();
    this.packed = new Uint8Array(game.packedSize);
  }

  /** Begins at a packed position. */
  begin(position: Uint8Array): void {
    this.game.unpack(position, 0, this.state);
    this.isWhole = this.game.ply(this.state) === 0;
  }

  play(action: Action): void {
    this.game.apply(this.state, action);
  }

  /**
   * Whether the moves so far lead to a packed position. It may say that the board has occurred before where moves are
   * missing, as those of a sampled opening are: only its notation is compared then.
   */
  leadsTo(position: Uint8Array): boolean {
    const { game, state, other, packed } = this;
    game.pack(state, packed, 0);
    if (Buffer.compare(packed, position) === 0) return true;
    if (this.isWhole) return false;
    game.unpack(position, 0, other);
    return game.formatPosition(state) === game.formatPosition(other);
  }
}

/** Describes a contradiction between one game's rows and their moves; null if there is none. */
function movesProblem(game: Game<unknown>, columns: ShardColumns, start: number, end: number): string | null {
  const { positions, finalPositions, positionSize, plies, pliesLeft, played } = columns;
  const replay = new GameReplay(game);
  const bytesAt = (array: Uint8Array, row: number): Uint8Array =>
    array.subarray(row * positionSize, (row + 1) * positionSize);
  const isFollowing = (row: number): boolean => row > start && plies[row] === plies[row - 1]! + 1;
  for (let row = start; row < end; row++) {
    if (played[row] === NO_ACTION) return `row ${row} without a move`;
    if (Buffer.compare(bytesAt(finalPositions, row), bytesAt(finalPositions, start)) !== 0) {
      return `a different final position in row ${row}`;
    }
    if (!isFollowing(row)) replay.begin(bytesAt(positions, row));
    replay.play(played[row]!);
    const isNext = row + 1 < end && isFollowing(row + 1);
    const isLast = row + 1 === end && pliesLeft[row] === 1;
    if (isNext && !replay.leadsTo(bytesAt(positions, row + 1))) {
      return `a move in row ${row} that does not lead to the next row`;
    }
    if (isLast && !replay.leadsTo(bytesAt(finalPositions, row))) {
      return `a move in row ${row} that does not lead to the final position`;
    }
  }
  return null;
}

/** Describes a contradiction between one game's rows and its statistics; null if there is none. */
function countsProblem(
  game: Game<unknown>,
  columns: ShardColumns,
  range: readonly [number, number],
  counts: GameStatistics,
): string | null {
  const [start, end] = range;
  let learnt = 0;
  for (let row = start; row < end; row++) {
    if (isLearnt({ policyWeight: columns.policyWeights[row]!, searchSize: columns.searchSizes[row]! }))
      learnt += 1;
  }
  if (counts.games !== 1) return `statistics of ${counts.games} games instead of 1`;
  if (counts.positions !== end - start)
    return `${counts.positions} positions in its statistics and ${end - start} rows`;
  if (counts.learntPositions !== learnt)
    return `${counts.learntPositions} positions to learn from in its statistics and ${learnt} such rows`;
  if (counts.wins + counts.draws + counts.losses + counts.truncated !== 1)
    return 'statistics without exactly one result';
  if (start === end) return null;
  const length = columns.plies[start]! + columns.pliesLeft[start]!;
  if (counts.plies !== length || counts.shortestPlies !== length || counts.longestPlies !== length) {
    return `${counts.plies} plies in its statistics and ${length} in its rows`;
  }
  return resultProblem(game, columns, start, counts);
}

/** Describes a contradiction between a game's result in its rows, its statistics and its final position. */
function resultProblem(
  game: Game<unknown>,
  columns: ShardColumns,
  row: number,
  counts: GameStatistics,
): string | null {
  const result = sampleOf(columns, row).result;
  const outcome = result === null ? null : columns.players[row] === 0 ? result : -result;
  const counted = counts.truncated === 1 ? null : counts.wins - counts.losses;
  if (outcome !== counted)
    return `the result ${String(counted)} in its statistics and ${String(outcome)} in its rows`;
  if (counts.resigned + counts.adjudicated > 0) return null;
  const state = game.initialState();
  game.unpack(columns.finalPositions, row * columns.positionSize, state);
  const found = game.outcome(state);
  if (found !== outcome)
    return `the result ${String(outcome)} and a final position with the result ${String(found)}`;
  if (found === null && game.ply(state) < game.plyLimit)
    return 'a final position in which the game is not over';
  return null;
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
      movesProblem(game, columns, start, end) ?? countsProblem(game, columns, [start, end], counts);
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
 * agrees with the rules; every move leads to the next row; games, counts and results agree; and the games in `replayed`
 * are the same when this machine plays them.
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
