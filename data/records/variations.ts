import type { Action, Game, Player } from '../../env/game.js';
import { explainIllegal, firstState } from '../../env/replay/replay.js';
import { expectDepth, type GameRecord, type RecordLine } from './record.js';

/** A variation with an illegal move. */
export interface IllegalVariation {
  /** The moves of the variation up to the illegal one: `13... c17-c8 14. g3-j4`. */
  readonly line: string;
  /** Ply of the illegal move, counted from 0 at the record's start. */
  readonly illegalPly: number;
  readonly reason: string;
}

/** Result of checking a record's variations. */
export interface VariationCheck {
  /** Number of variations played; those after an illegal move that cannot be forced are not. */
  readonly tried: number;
  /** In the order of the record. */
  readonly illegal: readonly IllegalVariation[];
}

/** Where a line begins. */
interface LineStart {
  readonly player: Player;
  readonly ply: number;
}

function lineStart(game: Game<unknown>, state: unknown): LineStart {
  return { player: game.currentPlayer(state), ply: game.ply(state) };
}

/** `13.` for a move of player 0, `13...` for one of player 1, `index` moves after the start. */
function moveNumber({ player, ply }: LineStart, index: number): string {
  const isFirst = (player + index) % 2 === 0;
  return `${Math.floor((ply + index) / 2) + 1}${isFirst ? '.' : '...'}`;
}

/**
 * The move number of the record's move `index`, counted from 0, as people write it: `13...`.
 *
 * @param position first position of the record. Defaults to the game's initial position.
 */
export function moveNumberAfter(game: Game<unknown>, position: string | undefined, index: number): string {
  const start = firstState(game, position);
  return moveNumber(lineStart(game, start), index);
}

/** `13... h18-k18 14. k11-i13 k18-k15` */
function describeLine(game: Game<unknown>, start: LineStart, actions: readonly Action[]): string {
  return actions
    .map((action, i) => {
      const number = moveNumber(start, i);
      return `${i === 0 || !number.endsWith('...') ? `${number} ` : ''}${game.formatAction(action)}`;
    })
    .join(' ');
}

/**
 * Plays every variation of a record and finds the first illegal move of each.
 *
 * @param record with moves in the notation of `game`.
 * @param force whether to play illegal moves where the game allows that.
 * @throws DataError `record-too-deep`.
 */
export function checkVariations(game: Game<unknown>, record: GameRecord, force: boolean): VariationCheck {
  const first = firstState(game, record.position);
  const firstPly = game.ply(first);
  const illegal: IllegalVariation[] = [];
  let tried = 0;

  /** Does not change `before`; `depth` is the number of enclosing variations. */
  const tryLine = (line: RecordLine, before: unknown, depth: number): void => {
    expectDepth(depth);
    const start = lineStart(game, before);
    // A copy takes as long as the moves before it are many, but the time of a move that is not played cannot be undone.
    const state = game.spendTime === undefined ? before : game.clone(before);
    const length = game.historyLength(state);
    const actions: Action[] = [];
    let isLegal = true;
    for (const { move, seconds = 0, variations = [] } of line) {
      for (const variation of variations) {
        tried += 1;
        tryLine(variation, state, depth + 1);
      }
      if (move === undefined) continue;
      const action = game.parseAction(move);
      actions.push(action);
      game.spendTime?.(state, seconds);
      if (!game.isLegal(state, action)) {
        if (depth > 0 && isLegal) {
          const reason = explainIllegal(game, state, action);
          illegal.push({
            line: describeLine(game, start, actions),
            illegalPly: game.ply(state) - firstPly,
            reason,
          });
        }
        isLegal = false;
        if (!force || game.canForce?.(state, action) !== true) break;
      }
      game.apply(state, action);
    }
    while (game.historyLength(state) > length) game.undo(state);
  };

  tryLine(record.moves, first, 0);
  return { tried, illegal };
}
