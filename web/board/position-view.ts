import type { Action, Outcome, Player } from '../../env/game.js';
import { type GameTree, type NodeId, ROOT_NODE } from '../../session/game-tree.js';
import type { Piece, Square, Table } from './rules/board-rules.js';
import { MoveMap } from './entry.js';
import { effectOf, type MoveEffect } from './move-effect.js';

/** Everything that a board shows of one node of a game. */
export interface PositionView {
  readonly table: Table;
  readonly node: NodeId;
  readonly parent: NodeId | null;
  /** A copy of the position, with its history. */
  readonly state: unknown;
  readonly player: Player;
  readonly outcome: Outcome | null;
  readonly pieces: readonly Piece[];
  readonly moves: MoveMap;
  /** The move that led here, and what it did; null at the first position. */
  readonly lastMove: { readonly action: Action; readonly effect: MoveEffect } | null;
  readonly rings: readonly [readonly Square[], readonly Square[]];
  /** Centres of the rings that the opponent of their owner could break in one move. */
  readonly threatened: readonly Square[];
}

/** The view of a game's current node. */
export function viewPosition(table: Table, tree: GameTree): PositionView {
  const { game, board } = table;
  const node = tree.current;
  const state = game.clone(tree.state);
  const move = tree.moveOf(node);
  let lastMove: PositionView['lastMove'] = null;
  if (node !== ROOT_NODE && move !== null) {
    const before = game.clone(tree.state);
    game.undo(before);
    lastMove = { action: move.action, effect: effectOf(table, before, move.action) };
  }
  return {
    table,
    node,
    parent: tree.parentOf(node),
    state,
    player: game.currentPlayer(state),
    outcome: game.outcome(state),
    pieces: board.pieces(state),
    moves: new MoveMap(table, state),
    lastMove,
    rings: board.rings(state),
    threatened: board.threatenedRings(game, state),
  };
}
