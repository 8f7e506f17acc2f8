import { NO_RESULT } from '../../data/shards/column-table.js';
import { playerOf, type SmallColumns } from '../../data/shards/shard-columns.js';
import type { ShardRows } from '../../data/shards/shard-rows.js';
import type { Game, Symmetry } from '../../env/game.js';
import { writePolicyTarget } from './policy-target.js';
import type { ReplyColumns } from './training-batch.js';

/** Rows whose weight is less are not looked at. */
const LEAST_WEIGHT = 0.005;

/** The row after `index` in its game, where it is the next ply; null where the game ended or that row is missing. */
export function nextRow(columns: SmallColumns, index: number): number | null {
  const next = index + 1;
  const isNext =
    next < columns.rows &&
    columns.gameIds[next] === columns.gameIds[index] &&
    columns.plies[next] === columns.plies[index]! + 1;
  return isNext ? next : null;
}

/** A row of a batch, where it comes from, and how its board is turned. */
export interface LaterRow {
  /** In the batch. */
  readonly row: number;
  readonly shard: ShardRows;
  readonly index: number;
  readonly symmetry: Symmetry;
}

/**
 * Writes what the opponent's search made of the next position, if it was one that is learnt from: its policy over its legal
 * moves, in the frame of the row's mover, whose planes the network sees.
 *
 * @param out reset, with room for the next row's actions.
 * @see Wu 2019, "Accelerating self-play learning in Go", section 3.4, the auxiliary policy target.
 */
export function writeReply<State>(
  game: Game<State>,
  out: ReplyColumns,
  { row, shard, index, symmetry }: LaterRow,
): void {
  const { columns } = shard;
  const next = nextRow(columns, index);
  if (next === null || columns.policyWeights[next] === 0) return;
  writePolicyTarget(game, out, { row, player: playerOf(columns, index), symmetry }, shard.content(next));
  out.weights[row] = columns.policyWeights[next]!;
}

/** `share` of the later value, the rest of the earlier; where one is not known (NaN), the other. */
function mix(earlier: number, later: number, share: number): number {
  if (Number.isNaN(earlier)) return later;
  return Number.isNaN(later) ? earlier : (1 - share) * earlier + share * later;
}

/**
 * The mean of the root values of the rows after `index` in its game, and of the game's result behind the last of them,
 * with weights that fall by the factor `1 - 1 / plies` a ply: what searches see about so many plies later, to the row's
 * mover. Rows without a value leave their weight to those after them. In [-1, 1]; NaN where nothing is known.
 *
 * @see KataGo, docs/KataGoMethods.md, "Short-term Value and Score Targets"; `lambdaValues` is the same of whole games.
 */
export function shortTermValue(columns: SmallColumns, index: number, plies: number): number {
  const lambda = 1 - 1 / plies;
  const { plies: plyOf, players, gameIds, rootValues, results, pliesLeft } = columns;
  const isSameGame = (row: number): boolean => row < columns.rows && gameIds[row] === gameIds[index];
  let last = index;
  while (isSameGame(last + 1) && lambda ** (plyOf[last]! - plyOf[index]!) >= LEAST_WEIGHT) last += 1;
  const result = isSameGame(last + 1) || results[last] === NO_RESULT ? NaN : results[last]!;
  if (last === index) return result;
  let value = mix(rootValues[last]!, result, lambda ** pliesLeft[last]!);
  for (let row = last - 1; row > index; row--) {
    const seen = players[row] === players[row + 1] ? value : -value;
    value = mix(rootValues[row]!, seen, lambda ** (plyOf[row + 1]! - plyOf[row]!));
  }
  return players[index] === players[index + 1] ? value : -value;
}
