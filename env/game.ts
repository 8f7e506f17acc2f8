import type { BoardDrawing } from './diagrams/board-drawing.js';
import type { EncodingDescription } from './encoding.js';

/** 0: the first player (Black in Gess), 1: the second. */
export type Player = 0 | 1;

/** The other player. */
export function opponentOf(player: Player): Player {
  return player === 0 ? 1 : 0;
}

/** Integer id in `[0, numActions)`, the same for both players. */
export type Action = number;

/** Stands for an absent action. */
export const NO_ACTION: Action = -1;

/** Result of a finished game for player 0: 1 won, 0 drawn, -1 lost. */
export type Outcome = -1 | 0 | 1;

/**
 * Converts an outcome to the result for `player`, or that result back to the outcome: 1 won, 0 drawn, -1
 * lost.
 */
export function outcomeTo(player: Player, outcome: Outcome): Outcome {
  // Not -outcome, which would be -0 for a draw.
  return player === 0 ? outcome : ((0 - outcome) as Outcome);
}

/**
 * A symmetry of the board that preserves legal play, as permutations of the network's inputs and policy. `R`,
 * `C` are rows and columns of the board, `A` the number of actions.
 */
export interface Symmetry {
  readonly name: string;
  /** `[R * C]` the image of each square: `to[squares[s]] = from[s]`, for every plane. */
  readonly squares: Uint16Array;
  /** `[A]` the image of each policy index. */
  readonly policyIndices: Uint16Array;
  /**
   * Whether it moves a player's side of the board to another edge. Play remains legal, but no game looks like
   * it, as the mover's own side is always at the same edge. Defaults to false.
   */
  readonly turnsSides?: boolean;
}

/**
 * The meaning of a mark in a diagram; `first` and `second` are the players' pieces, `choice` is the chosen
 * piece.
 */
export type MarkKind = 'first' | 'second' | 'ring' | 'last-move' | 'choice';

/** Colours the text of a mark by escape codes. */
export type Paint = (kind: MarkKind, text: string) => string;

/** Options of a diagram. */
export interface DiagramOptions {
  /** A square in the game's notation, `l3`: marks the destinations of its piece. */
  readonly piece?: string | undefined;
  /** Colours the marks of `render`, in games that support it. By default marks have no colours. */
  readonly paint?: Paint | undefined;
}

/**
 * The rules of a two-player, zero-sum, perfect-information game.
 *
 * States are mutable: `apply` and `undo` change `state` in place and are exact inverses. Call `clone` to keep
 * one. Nothing allocates per move; the caller owns all buffers. Implementations draw no random numbers and
 * keep no state of their own.
 */
export interface Game<State> {
  /** `gess`, `connect-four`, …: the value of `--game`. */
  readonly id: string;
  /** The rules in canonical text, such as `eureka`: the value of `--rules`. */
  readonly rules: string;
  /** Changes when the same moves could lead to another position or result. */
  readonly rulesVersion: number;
  /** Changes when `observe`, `pack` or the numbering of actions changes. */
  readonly encodingVersion: number;
  /** Names of players 0 and 1: `['black', 'white']`. */
  readonly playerNames: readonly [string, string];
  readonly numActions: number;
  /** Upper bound of the number of legal actions: the size of buffers for `legalActions`. */
  readonly maxLegalActions: number;
  /** The meaning of the planes of `observe` and of policy indices. */
  readonly encoding: EncodingDescription;
  /** `[rows, columns, planes]` that `observe` writes, planes fastest. */
  readonly observationShape: readonly [rows: number, columns: number, planes: number];
  /**
   * `[rows, columns, planes]` whose product is `numActions`: the layout of policy indices. If rows and
   * columns are the board's, the network has a convolutional policy head, else a dense one.
   */
  readonly policyShape: readonly [rows: number, columns: number, planes: number];
  /**
   * `[numActions]` the square, `row * columns + column`, where the move of a policy index ends; arbitrary for
   * moves that leave the board. Absent if actions are not moves from square to square.
   */
  readonly policyTargets?: Uint16Array;
  /** A game of this many plies is truncated: it ends without a result. */
  readonly plyLimit: number;
  /** All symmetries, the identity first. */
  readonly symmetries: readonly Symmetry[];
  /** Number of bytes that `pack` writes. */
  readonly packedSize: number;

  /** The position before the first move. */
  initialState(): State;
  /** An independent copy, history included. */
  clone(state: State): State;
  /** The player to move; after the end, the player who would move next. */
  currentPlayer(state: State): Player;
  /** Number of moves since the start of the game, including those before a parsed position. */
  ply(state: State): number;
  /** Null for an unfinished game; a truncated game has no outcome. */
  outcome(state: State): Outcome | null;
  /**
   * Writes the legal actions, ascending, to the front of `out`; returns their number, 0 exactly when the game
   * is over.
   */
  legalActions(state: State, out: Int32Array): number;
  /** The number of legal actions. */
  countLegalActions(state: State): number;
  /** Whether `action`, any integer, is among the legal ones. */
  isLegal(state: State, action: Action): boolean;
  /** Plays a legal action. Not checked: pass only what `legalActions` wrote. */
  apply(state: State, action: Action): void;
  /** Takes back the last applied action. Not checked: `historyLength` must be positive. */
  undo(state: State): void;
  /**
   * False only if a legal action certainly does not win at once; saves a search for winning moves from
   * playing them all. Defaults to true.
   */
  mayWin?(state: State, action: Action): boolean;
  /**
   * `mayWin` for a list, which is faster: the index of the first of `actions[from]` to `actions[count - 1]`, legal
   * actions, that may win at once; `count` if none may.
   */
  nextMayWin?(state: State, actions: Int32Array, count: number, from: number): number;
  /** Number of actions that can be undone. */
  historyLength(state: State): number;
  /** The undoable action with this index, 0 the oldest. */
  historyAction(state: State, index: number): Action;

  /** 53-bit hash of the board and the player to move. */
  hash(state: State): number;
  /** 53-bit hash of everything that `observe` shows: the key of a cache of evaluations. */
  observationHash(state: State): number;
  /**
   * Writes the network input, 0..1, over all of `out[offset …]`, from the view of `viewer`, by default the
   * mover.
   */
  observe(state: State, out: Float32Array, offset: number, viewer?: Player): void;
  /**
   * The same game with or without planes of moves after the others: where the moves of both players end. Networks with
   * `network.movePlanes` read them. Absent in games without these planes.
   */
  withPlanes?(movePlanes: boolean): Game<State>;
  /** The network's number of an action, in `[0, numActions)`, from the view of `player`. */
  policyIndex(player: Player, action: Action): number;
  /** Inverse of `policyIndex`. */
  actionOfPolicyIndex(player: Player, index: number): Action;
  /**
   * Writes the position to `out[offset …]`, `packedSize` bytes: everything that `observe` and `legalActions`
   * need. A game may omit the moves that a ko rule bars, and documents it.
   */
  pack(state: State, out: Uint8Array, offset: number): void;
  /**
   * Sets `state` to the packed position, without history.
   *
   * @throws NotationError `position-*` for invalid bytes.
   */
  unpack(bytes: Uint8Array, offset: number, state: State): void;

  /**
   * Parses a position; the state has no history.
   *
   * @throws NotationError `position-*`.
   */
  parsePosition(text: string): State;
  /** Canonical: equal positions give equal texts. */
  formatPosition(state: State): string;
  /**
   * Parses an action, which may be illegal.
   *
   * @throws NotationError `action-syntax`.
   */
  parseAction(text: string): Action;
  /** Canonical: the inverse of `parseAction`. */
  formatAction(action: Action): string;
  /**
   * The board for a terminal, several lines.
   *
   * @throws NotationError `action-syntax` if `piece` is not a square.
   */
  render(state: State, options?: DiagramOptions): string;
  /**
   * The board as an SVG document.
   *
   * @throws NotationError `action-syntax` if `piece` is not a square.
   */
  renderSvg?(state: State, options?: DiagramOptions): string;
  /**
   * The board as squares, for front-ends that draw it themselves.
   *
   * @throws NotationError `action-syntax` if `piece` is not a square.
   */
  draw?(state: State, options?: DiagramOptions): BoardDrawing;
  /** Further facts about a position, as JSON: `{ rings: { black: ['l3'], white: ['l18'] } }`. */
  describe?(state: State): Readonly<Record<string, unknown>>;
  /**
   * The pieces with legal moves, as JSON: `{ center: 'l3', figure: '7-5-7', name: 'ring', destinations:
   * ['l4'] }`.
   */
  describePieces?(state: State): readonly object[];
  /** Why `action` is illegal, as a clause that follows its text. */
  explainIllegal?(state: State, action: Action): string;
  /** Why a finished game has its outcome, as a clause: `white has no ring left`. */
  explainOutcome?(state: State): string;
  /**
   * Takes `seconds` (0 or more: the time since the last move) off the clock of the player to move. A player
   * whose clock runs out loses. `undo` restores the time with the move, so call it right before `apply`, and
   * let searches work on a clone. Absent in games without clocks.
   */
  spendTime?(state: State, seconds: number): void;
  /**
   * Whether `apply` can play `action`, legal or not, for records with illegal moves. Defaults to legal
   * actions only.
   */
  canForce?(state: State, action: Action): boolean;
}

/** Whether a value, of a program without types, is a game. */
export function isGame(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'legalActions' in value;
}

/** The legal actions, ascending, in a new array; none if the game is over. */
export function listActions<State>(game: Game<State>, state: State): Int32Array {
  const out = new Int32Array(game.maxLegalActions);
  return out.slice(0, game.legalActions(state, out));
}

/** The game with or without planes of moves; null if it is to have planes that it lacks. */
export function gameWithPlanes<State>(game: Game<State>, movePlanes: false): Game<State>;
export function gameWithPlanes<State>(game: Game<State>, movePlanes: boolean): Game<State> | null;
export function gameWithPlanes<State>(game: Game<State>, movePlanes: boolean): Game<State> | null {
  if (game.withPlanes !== undefined) return game.withPlanes(movePlanes);
  return movePlanes ? null : game;
}

/**
 * The result of an action for the player who takes it: 1 won, 0 drawn, -1 lost; null if it does not end the game.
 *
 * @param state is left unchanged.
 */
export function resultOf<State>(game: Game<State>, state: State, action: Action): Outcome | null {
  const player = game.currentPlayer(state);
  game.apply(state, action);
  const outcome = game.outcome(state);
  game.undo(state);
  return outcome === null ? null : outcomeTo(player, outcome);
}
