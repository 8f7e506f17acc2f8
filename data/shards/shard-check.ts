import { type Game, NO_ACTION } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { DataError } from '../data-error.js';
import type { ShardColumns } from './shard-columns.js';
import type { DecodedShard } from './shard-encoding.js';
import { checkGame } from './shard.js';

interface RowBuffers {
  readonly columns: ShardColumns;
  readonly legal: Int32Array;
}

/** Describes the first contradiction between a row and its position; null if there is none. */
function misfit(game: Game<unknown>, state: unknown, row: number, buffers: RowBuffers): string | null {
  const { columns, legal } = buffers;
  const { positions, positionSize, players, plies, actionStart, actions } = columns;
  game.unpack(positions, row * positionSize, state);
  if (game.currentPlayer(state) !== players[row]) return 'another player';
  if (game.ply(state) !== plies[row])
    return `ply ${plies[row]!} where the position is of ply ${game.ply(state)}`;
  const [start, end] = [actionStart[row]!, actionStart[row + 1]!];
  const count = game.legalActions(state, legal);
  if (count !== end - start) return `${end - start} actions where ${count} are legal`;
  for (let index = 0; index < count; index++) {
    if (legal[index] !== actions[start + index])
      return `action ${actions[start + index]!}, which is not legal`;
  }
  return null;
}

/** Describes the contradiction between a row and the final position of its game; null if there is none. */
function endMisfit(
  game: Game<unknown>,
  state: unknown,
  row: number,
  { finalPositions, positionSize, played, plies, pliesLeft }: ShardColumns,
): string | null {
  if (played[row] === NO_ACTION) return null;
  game.unpack(finalPositions, row * positionSize, state);
  const [length, found] = [plies[row]! + pliesLeft[row]!, game.ply(state)];
  return found === length ? null : `a game of ${length} plies where the final position is of ply ${found}`;
}

/**
 * Compares every row with the rules of its game: the player to move, the ply, the legal actions, the length of its
 * game.
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
      problem = misfit(game, state, row, buffers) ?? endMisfit(game, state, row, columns);
    } catch (cause) {
      throw new DataError('shard-format', `row ${row} of ${path}: ${String(cause)}`, { cause });
    }
    if (problem !== null) throw new DataError('shard-format', `row ${row} of ${path} has ${problem}`);
  }
}
