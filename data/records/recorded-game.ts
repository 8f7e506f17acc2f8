import { createGame } from '../../env/games.js';
import { NO_ACTION } from '../../env/game.js';
import { explainIllegal, nameOutcome } from '../../env/replay/replay.js';
import { DataError } from '../data-error.js';
import { sampleOf } from '../shards/shard-columns.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import { checkGame } from '../shards/shard.js';
import { type GameRecord, recordPosition } from './record.js';
import { unpackRow } from '../shards/row-view.js';

/**
 * A game of a shard as a record. It begins at the game's first row, which comes after the opening moves if these are no
 * rows.
 *
 * @param path of the shard, for messages.
 * @param gameId of one of the shard's games.
 * @throws DataError `record-gaps` for a game whose moves are not all known, `record-illegal` for an illegal one,
 *   `shard-format` for an impossible position; errors of `checkGame`; NotationError `game-unknown`, `rules-unknown`.
 */
export function recordOfShardGame(path: string, shard: DecodedShard, gameId: number): GameRecord {
  const { metadata, columns } = shard;
  const game = createGame(metadata.game, metadata.rules);
  checkGame(path, shard, game);
  // The rows of a game are adjacent.
  const first = columns.gameIds.indexOf(gameId);
  const end = columns.gameIds.lastIndexOf(gameId) + 1;
  const { position, pliesLeft } = sampleOf(columns, first);
  const state = unpackRow(game, position, { path, row: first });
  const start = recordPosition(game, game.formatPosition(state));
  const gap = (found: string): DataError =>
    new DataError('record-gaps', `expected every move of game ${gameId} in ${path}, ${found}`);
  if (pliesLeft !== end - first) throw gap(`its ${end - first} rows are of ${pliesLeft} moves`);
  const moves = Array.from({ length: end - first }, (_, index) => {
    const row = first + index;
    const action = columns.played[row]!;
    const [ply, found] = [columns.plies[first]! + index, columns.plies[row]!];
    if (found !== ply) throw gap(`row ${row} is of ply ${found} in place of ${ply}`);
    if (action === NO_ACTION) throw gap(`row ${row} has no played move`);
    if (!game.isLegal(state, action)) {
      const problem = explainIllegal(game, state, action);
      throw new DataError('record-illegal', `expected a legal move in row ${row} of ${path}; ${problem}`);
    }
    const move = game.formatAction(action);
    game.apply(state, action);
    return { move };
  });
  const result = nameOutcome(game, state);
  return {
    game: game.id,
    rules: game.rules,
    comment: `game ${gameId}, seed ${metadata.seed}`,
    ...(result !== null && { result }),
    ...(start !== undefined && { position: start }),
    moves,
  };
}
