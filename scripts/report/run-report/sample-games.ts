import { join } from 'node:path';
import { namesIn } from '../../../data/folder-reader.js';
import { readInput } from '../../../data/files/input-file.js';
import { readJsonRecord } from '../../../data/records/record-json.js';
import { sampleOf, type ShardColumns } from '../../../data/shards/shard-columns.js';
import { listShards, readShard } from '../../../data/shards/shard.js';
import { CodedError } from '../../../env/errors.js';
import type { Game } from '../../../env/game.js';
import { formatEnd, formatEndOfRow } from '../../text/game-end-text.js';
import { listData, type RunPaths } from '../../../training/run/run-paths.js';
import type { EvaluationRecord } from '../../../training/run/run-records.js';

/** A game of a run, position by position. */
export interface SampleGame {
  /** `generation 3 against itself`. */
  readonly title: string;
  /** `black won in 40 plies`. */
  readonly end: string;
  readonly positions: readonly SamplePosition[];
}

/** A position of a game. */
export interface SamplePosition {
  readonly state: unknown;
  /** The move that leads to the next position; null at the end, and where it is unknown. */
  readonly move: string | null;
}

/** Games of self-play and of matches that are shown, each. */
const GAMES = 3;

/** The rows of each game of a shard, in order. */
function gamesOf({ rows, gameIds }: ShardColumns): readonly (readonly number[])[] {
  const games = new Map<number, number[]>();
  for (let row = 0; row < rows; row++) {
    const own = games.get(gameIds[row]!) ?? [];
    games.set(gameIds[row]!, [...own, row]);
  }
  return [...games.values()];
}

/** The shortest, the longest and a middle one of some games. */
function variedGames(games: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const sorted = games.toSorted((a, b) => a.length - b.length);
  const chosen = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  return [...new Set(chosen.filter((game) => game !== undefined))];
}

function positionsOf(
  game: Game<unknown>,
  columns: ShardColumns,
  rows: readonly number[],
): Pick<SampleGame, 'positions' | 'end'> {
  const unpack = (packed: Uint8Array): unknown => {
    const state = game.initialState();
    game.unpack(packed, 0, state);
    return state;
  };
  const samples = rows.map((row) => sampleOf(columns, row));
  const positions = samples.map(({ position, played }): SamplePosition => {
    return { state: unpack(position), move: played === null ? null : game.formatAction(played) };
  });
  const last = samples.at(-1)!;
  const final = last.finalPosition === null ? [] : [{ state: unpack(last.finalPosition), move: null }];
  return { positions: [...positions, ...final], end: formatEndOfRow(game, last) };
}

/** The first shard of the newest generation that has one; the newest of a run in progress may have none yet. */
async function firstShardOfNewest(paths: RunPaths): Promise<{ generation: number; shard: string } | null> {
  for (const generation of (await listData(paths)).toReversed()) {
    const [shard] = await listShards(paths.data(generation));
    if (shard !== undefined) return { generation, shard };
  }
  return null;
}

async function selfPlayGames(paths: RunPaths, game: Game<unknown>): Promise<readonly SampleGame[]> {
  const found = await firstShardOfNewest(paths);
  if (found === null) return [];
  const { columns } = await readShard(found.shard, game);
  const title = `Self-play for generation ${found.generation}`;
  return variedGames(gamesOf(columns)).map((rows) => ({ title, ...positionsOf(game, columns, rows) }));
}

/** The first game of a match. */
async function matchGame(
  paths: RunPaths,
  game: Game<unknown>,
  { generation, key }: EvaluationRecord,
): Promise<SampleGame | null> {
  const folder = join(paths.match(generation, key), 'games');
  const [name] = (await namesIn(folder)).filter((file) => file.endsWith('.json')).sort();
  if (name === undefined) return null;
  const text = (await readInput(join(folder, name), 'record')).toString();
  const record = readJsonRecord(text);
  const moves = record.moves.flatMap(({ move }) => move ?? []);
  const state = game.initialState();
  const positions: SamplePosition[] = [];
  for (const move of moves) {
    positions.push({ state: game.clone(state), move });
    game.apply(state, game.parseAction(move));
  }
  positions.push({ state, move: null });
  const [first = '?', second = '?'] = (record.players ?? []).map((player) =>
    player === key ? key : `generation ${generation}`,
  );
  return {
    title: `${first} – ${second}`,
    end: formatEnd(game, game.outcome(state), moves.length),
    positions,
  };
}

/** Returns `nothing` for a part that has been removed or is damaged; `gess data verify` tells which of the two. */
async function orNothing<T>(read: Promise<T>, nothing: T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof CodedError) return nothing;
    throw error;
  }
}

/** Some games of the newest generation against itself, and one of each of the newest matches. */
export async function sampleGames(
  paths: RunPaths,
  game: Game<unknown>,
  evaluations: readonly EvaluationRecord[],
): Promise<readonly SampleGame[]> {
  const games = [...(await orNothing(selfPlayGames(paths, game), []))];
  for (const record of evaluations.slice(-GAMES).toReversed()) {
    const found = await orNothing(matchGame(paths, game, record), null);
    if (found !== null) games.push(found);
  }
  return games;
}
