import { createGame } from '../../env/games.js';
import { DataError } from '../data-error.js';
import { sampleOf } from './shard-columns.js';
import type { DecodedShard } from './shard-encoding.js';
import { checkGame } from './shard.js';

/** A row of a shard in words that people and other programs read. */
export interface RowView {
  /** The position's text; the moves before it are not known. */
  readonly position: string;
  /** Drawn with characters. */
  readonly diagram: string;
  /** Who is to move. */
  readonly player: string;
  readonly ply: number;
  readonly gameId: number;
  readonly generation: number;
  readonly seed: number;
  readonly legalActions: number;
  /** The likeliest moves of the policy, and how likely. */
  readonly policy: readonly { readonly move: string; readonly probability: number }[];
  readonly policyWeight: number;
  readonly rootValue: number | null;
  readonly result: number | null;
  readonly pliesLeft: number;
  readonly searchSize: number;
}

/**
 * One row of a shard, drawn.
 *
 * @param row 0 to the shard's rows - 1.
 * @throws DataError `shard-rules`, `shard-encoding`: of other rules or another encoding than this program's;
 *   `shard-format` for a position that cannot be; NotationError `game-unknown`, `rules-unknown`.
 */
export function viewRow(path: string, shard: DecodedShard, row: number, moves = 8): RowView {
  const { metadata, columns } = shard;
  const game = createGame(metadata.game, metadata.rules);
  checkGame(path, shard, game);
  const sample = sampleOf(columns, row);
  const state = game.initialState();
  try {
    game.unpack(sample.position, 0, state);
  } catch (cause) {
    throw new DataError('shard-format', `row ${row} of ${path} has no position: ${String(cause)}`, { cause });
  }
  const { actions, policy, player, ply, gameId, policyWeight, rootValue, result, pliesLeft, searchSize } =
    sample;
  const order = Array.from(actions.keys()).sort((a, b) => policy[b]! - policy[a]! || a - b);
  return {
    position: game.formatPosition(state),
    diagram: game.render(state, {}),
    player: game.playerNames[player],
    ply,
    gameId,
    generation: metadata.generation,
    seed: metadata.seed,
    legalActions: actions.length,
    policy: order.slice(0, moves).map((index) => {
      return { move: game.formatAction(actions[index]!), probability: policy[index]! };
    }),
    policyWeight,
    rootValue,
    result,
    pliesLeft,
    searchSize,
  };
}
