import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { DataError } from '../data-error.js';
import type { ShardColumns } from './shard-columns.js';
import type { DecodedShard } from './shard-encoding.js';
import { checkGame } from './shard.js';

/** Tolerance of the sum of a policy: thousands of float32 numbers. */
const SUM_TOLERANCE = 1e-3;

/** The first contradiction between a row and its position, in words; null if there is none. */
function misfit(game: Game<unknown>, state: unknown, row: number, buffers: RowBuffers): string | null {
  const { columns, legal } = buffers;
  const { positions, positionSize, players, plies, actionStart, actions, policies, rootValues } = columns;
  game.unpack(positions, row * positionSize, state);
  if (game.currentPlayer(state) !== players[row]) return 'another player';
  if (game.ply(state) !== plies[row])
    return `ply ${plies[row]!} where the position is of ply ${game.ply(state)}`;
  const [start, end] = [actionStart[row]!, actionStart[row + 1]!];
  const count = game.legalActions(state, legal);
  if (count !== end - start) return `${end - start} actions where ${count} are legal`;
  let sum = 0;
  for (let index = 0; index < count; index++) {
    if (legal[index] !== actions[start + index])
      return `action ${actions[start + index]!}, which is not legal`;
    sum += policies[start + index]!;
  }
  if (Math.abs(sum - 1) > SUM_TOLERANCE) return `a policy that sums to ${sum}`;
  if (Math.abs(rootValues[row]!) > 1) return `root value ${rootValues[row]!}`;
  return null;
}

interface RowBuffers {
  readonly columns: ShardColumns;
  readonly legal: Int32Array;
}

/**
 * Compares every row with the rules of its game: the player to move, the ply, the legal actions, a policy that sums to 1 and
 * a root value from -1 to 1.
 *
 * @throws DataError `shard-format` for a row that contradicts the rules; `shard-rules`, `shard-encoding`; NotationError
 *   `game-unknown`, `rules-unknown`.
 */
export function checkShardRows(path: string, shard: DecodedShard): void {
  const { metadata, columns } = shard;
  const game = createGame(metadata.game, metadata.rules);
  checkGame(path, shard, game);
  const state = game.initialState();
  const buffers = { columns, legal: new Int32Array(game.maxLegalActions) };
  for (let row = 0; row < columns.rows; row++) {
    let problem: string | null;
    try {
      problem = misfit(game, state, row, buffers);
    } catch (cause) {
      throw new DataError('shard-format', `row ${row} of ${path}: ${String(cause)}`, { cause });
    }
    if (problem !== null) throw new DataError('shard-format', `row ${row} of ${path} has ${problem}`);
  }
}
