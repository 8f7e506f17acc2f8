import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { DataError } from '../data-error.js';
import type { Sample } from './sample.js';
import { sampleOf } from './shard-columns.js';
import type { DecodedShard } from './shard-encoding.js';
import { checkGame } from './shard.js';

/** Greatest number of moves of a row's policy that are shown. */
const MOST_MOVES = 8;

/** A row of a shard as text: actions as moves, positions drawn; plain JSON. The other columns are as in `Sample`. */
export interface RowView extends Omit<
  Sample,
  'position' | 'player' | 'actions' | 'policy' | 'played' | 'finalPosition'
> {
  /** Notation of the position, without the moves before it. */
  readonly position: string;
  /** The board in characters. */
  readonly diagram: string;
  /** Name of the player to move. */
  readonly player: string;
  readonly generation: number;
  readonly seed: number;
  readonly legalActions: number;
  /** The most likely moves of the policy, in descending order. */
  readonly policy: readonly { readonly move: string; readonly probability: number }[];
  /** The move played; null if unknown. */
  readonly played: string | null;
  /** Notation of the position that the game ended in; null if unknown. */
  readonly finalPosition: string | null;
}

/**
 * The packed position of a row.
 *
 * @throws DataError `shard-format` for an impossible one, with the row.
 */
export function unpackRow(
  game: Game<unknown>,
  packed: Uint8Array,
  { path, row }: { readonly path: string; readonly row: number },
): unknown {
  const state = game.initialState();
  try {
    game.unpack(packed, 0, state);
  } catch (cause) {
    const found = `an impossible position: ${String(cause)}`;
    throw new DataError('shard-format', `row ${row} of ${path} has ${found}`, { cause });
  }
  return state;
}

/**
 * One row of a shard as text.
 *
 * @param row from 0 to the shard's rows - 1.
 * @throws DataError `shard-rules`, `shard-encoding` for other rules or another encoding than this program's;
 *   `shard-format` for an impossible position; NotationError `game-unknown`, `rules-unknown`.
 */
export function viewRow(path: string, shard: DecodedShard, row: number): RowView {
  const { metadata, columns } = shard;
  const game = createGame(metadata.game, metadata.rules);
  checkGame(path, shard, game);
  const { position, actions, policy, player, played, finalPosition, ...numbers } = sampleOf(columns, row);
  const unpack = (packed: Uint8Array): unknown => unpackRow(game, packed, { path, row });
  const state = unpack(position);
  const order = Array.from(actions.keys()).sort((a, b) => policy[b]! - policy[a]! || a - b);
  return {
    ...numbers,
    position: game.formatPosition(state),
    diagram: game.render(state, {}),
    player: game.playerNames[player],
    generation: metadata.generation,
    seed: metadata.seed,
    legalActions: actions.length,
    policy: order.slice(0, MOST_MOVES).map((index) => {
      return { move: game.formatAction(actions[index]!), probability: policy[index]! };
    }),
    played: played === null ? null : game.formatAction(played),
    finalPosition: finalPosition === null ? null : game.formatPosition(unpack(finalPosition)),
  };
}
