import type { Action, Game, Player } from '../../../env/game.js';

/** `row * columns + column`; row 0 is at the bottom as player 0 sees the board. */
export type Square = number;

/** The shape of a piece on the board. */
export type Shape = 'stone' | 'triangle' | 'circle' | 'square';

/** The piece on a square. */
export interface Piece {
  readonly square: Square;
  readonly player: Player;
  readonly shape: Shape;
}

/** A group of squares with a name and a meaning, such as a player's starting zone. */
export interface Zone {
  readonly player: Player;
  readonly squares: readonly Square[];
}

/** The view of a game on a board, and the entry of moves. */
export interface BoardRules<State = unknown> {
  readonly rows: number;
  readonly columns: number;
  /** Rows and columns at each edge on which nothing can stand. */
  readonly margin: number;
  /** Squares around the centre of a piece that move with it: 1 in Gess, else 0. */
  readonly reach: number;
  /** Names of the columns, and of the rows from the bottom. */
  readonly columnNames: readonly string[];
  readonly rowNames: readonly string[];
  readonly zones: readonly Zone[];
  /** Words for the pieces, `black stone`, by player. */
  readonly pieceWords: readonly [string, string];
  /** `l3`. */
  squareName(square: Square): string;
  /** Whether moves drop pieces from outside the board, instead of moving them from squares. */
  readonly dropsPieces: boolean;
  pieces(state: State): readonly Piece[];
  /** Square from which a move starts; null for a piece that comes from outside. */
  startOf(action: Action): Square | null;
  /** Square where the move of `action` from `state` ends. */
  endOf(state: State, action: Action): Square;
  /** Centres of the rings of both players; empty in games without rings. */
  rings(state: State): readonly [readonly Square[], readonly Square[]];
  /** Centres of the rings that the opponent of their owner could break if it were the opponent's turn. */
  threatenedRings(game: Game<State>, state: State): readonly Square[];
  /** Seconds that each player has left; null in games without clocks. */
  clocks(state: State): readonly [number, number] | null;
  /** The name of a piece on this square, such as `ring`, if it can be chosen. */
  pieceName(state: State, square: Square): string | null;
}

/** A game and its board. */
export interface Table<State = unknown> {
  readonly game: Game<State>;
  readonly board: BoardRules<State>;
}

/** The legal moves of a position. */
export function legalActions<State>(game: Game<State>, state: State): readonly Action[] {
  const buffer = new Int32Array(game.maxLegalActions);
  return Array.from(buffer.subarray(0, game.legalActions(state, buffer)));
}
