import type { EncodingDescription } from './encoding.js';
import type { Rng } from './random.js';

/** 0 moves first (Black in Gess), 1 second. */
export type Player = 0 | 1;

/** The other player. */
export function opponentOf(player: Player): Player {
  return player === 0 ? 1 : 0;
}

/** Integer id in `[0, numActions)`, the same for both players. */
export type Action = number;

/** Stands for an absent action. */
export const NO_ACTION: Action = -1;

/** Result of a finished game to player 0: 1 won, 0 drawn, -1 lost. */
export type Outcome = -1 | 0 | 1;

/** The result to `player` of an outcome, or the outcome of a result to `player`: 1 won, 0 drawn, -1 lost. */
export function outcomeTo(player: Player, outcome: Outcome): Outcome {
  // Not -outcome, which is -0 for a draw.
  return player === 0 ? outcome : ((0 - outcome) as Outcome);
}

/**
 * A symmetry of the board that maps legal play to legal play, as permutations of what the network sees.
 * `R`, `C` are rows and columns of the board, `A` the number of actions.
 */
export interface Symmetry {
  readonly name: string;
  /** `[R * C]` where the content of each square goes: `to[squares[s]] = from[s]`, for every plane. */
  readonly squares: Uint16Array;
  /** `[A]` where each policy index goes. */
  readonly policyIndices: Uint16Array;
  /**
   * True where a player's side of the board goes to another edge: legal play all the same, but as the mover always sees its own
   * side at one edge, no game looks like it. Absent: sides stay.
   */
  readonly turnsSides?: boolean;
}

/** What a mark of a diagram stands for: pieces of the first and the second player; a `choice` is a chosen piece. */
export type MarkKind = 'first' | 'second' | 'ring' | 'last-move' | 'choice';

/** Gives the text of a mark a colour, by escape codes around it. */
export type Paint = (kind: MarkKind, text: string) => string;

/** What a diagram shows besides the position and the last move. */
export interface DiagramOptions {
  /** A square as the game writes it, `l3`: where the piece there may go is marked. */
  readonly piece?: string | undefined;
  /** Colours the marks that `render` draws, where the game can; left out, they have none. */
  readonly paint?: Paint | undefined;
}

/**
 * The rules of a two-player, zero-sum, perfect-information game.
 *
 * States are mutable: `apply` and `undo` change `state` in place and are exact inverses. Call `clone` to
 * keep one. Nothing allocates per move; buffers are the caller's. Implementations draw no random numbers
 * and keep no state of their own.
 */
export interface Game<State> {
  /** `gess`, `connect-four`, …: what `--game` takes. */
  readonly id: string;
  /** The rules in canonical text, `eureka` for one: what `--rules` takes. */
  readonly rules: string;
  /** Changes when the same moves could lead to another position or result. */
  readonly rulesVersion: number;
  /** Changes when `observe`, `pack` or the numbering of actions changes. */
  readonly encodingVersion: number;
  /** What players 0 and 1 are called: `['black', 'white']`. */
  readonly playerNames: readonly [string, string];
  readonly numActions: number;
  /** No position has more legal actions than this: the size of the buffer for `legalActions`. */
  readonly maxLegalActions: number;
  /** The meaning of the planes of `observe` and of policy indices. */
  readonly encoding: EncodingDescription;
  /** `[rows, columns, planes]` that `observe` writes, planes fastest. */
  readonly observationShape: readonly [rows: number, columns: number, planes: number];
  /**
   * `[rows, columns, planes]` whose product is `numActions`: how policy indices lie over the board. Where
   * rows and columns are the board's, the network has a convolutional policy head, else a dense one.
   */
  readonly policyShape: readonly [rows: number, columns: number, planes: number];
  /**
   * `[numActions]` the square, `row * columns + column`, that a piece which starts on the policy index's own square
   * goes to; any where it would leave the board. Absent: actions are not moves from square to square.
   */
  readonly policyTargets?: Uint16Array;
  /** A game of this many plies is truncated: it ends without a result. */
  readonly plyLimit: number;
  /** All symmetries, the identity first. */
  readonly symmetries: readonly Symmetry[];
  /** Bytes that `pack` writes. */
  readonly packedSize: number;

  /** The position before the first move. */
  initialState(): State;
  /** An independent copy, history included. */
  clone(state: State): State;
  /** Who is to move; of a finished game, who would be. */
  currentPlayer(state: State): Player;
  /** Moves played since the game began, those before a parsed position included. */
  ply(state: State): number;
  /** Null while the game goes on (a truncated game has no outcome). */
  outcome(state: State): Outcome | null;
  /** Writes the legal actions, ascending, to the front of `out`; returns how many: 0 exactly when over. */
  legalActions(state: State, out: Int32Array): number;
  /** As many as `legalActions` would write, without writing them. */
  countLegalActions(state: State): number;
  /** Whether `action`, any integer, is among the legal ones. */
  isLegal(state: State, action: Action): boolean;
  /** Plays a legal action. Not checked: pass only what `legalActions` wrote. */
  apply(state: State, action: Action): void;
  /** Takes back the last applied action. Not checked: `historyLength` must be positive. */
  undo(state: State): void;
  /**
   * False only where a legal action is certain not to win at once: for a search that looks for winning moves, cheaper than
   * to play them all. What is absent says true.
   */
  mayWin?(state: State, action: Action): boolean;
  /** How many actions can be taken back. */
  historyLength(state: State): number;
  /** The action applied as number `index` of those that can be taken back, 0 the oldest. */
  historyAction(state: State, index: number): Action;

  /** 53-bit integer of the board and the player to move. Equal boards have equal hashes. */
  hash(state: State): number;
  /** 53-bit integer of all that `observe` shows: the key of a cache of evaluations. */
  observationHash(state: State): number;
  /** Writes the network input, 0..1, over all of `out[offset …]`, from the view of `viewer`: by default the mover. */
  observe(state: State, out: Float32Array, offset: number, viewer?: Player): void;
  /** The action as the network numbers it, in `[0, numActions)`, from the view of `player`. */
  policyIndex(player: Player, action: Action): number;
  /** Inverse of `policyIndex`. */
  actionOfPolicyIndex(player: Player, index: number): Action;
  /**
   * Writes all that `observe` and `legalActions` need to `out[offset …]`, `packedSize` bytes. A game may leave
   * out which moves a ko rule bars, and says so.
   */
  pack(state: State, out: Uint8Array, offset: number): void;
  /** Makes `state` the packed position, without history. Throws `NotationError` for impossible bytes. */
  unpack(bytes: Uint8Array, offset: number, state: State): void;

  /** Throws `NotationError`. The state has no history. */
  parsePosition(text: string): State;
  /** Canonical: equal positions give equal texts. */
  formatPosition(state: State): string;
  /** Throws `NotationError`. The action may be illegal. */
  parseAction(text: string): Action;
  /** Canonical: `parseAction` reads it back as the same. */
  formatAction(action: Action): string;
  /** The board for a terminal, several lines. Throws `NotationError` `action-syntax` for a `piece` that is no square. */
  render(state: State, options?: DiagramOptions): string;
  /** The board as an SVG document. Throws as `render` does. */
  renderSvg?(state: State, options?: DiagramOptions): string;
  /** What else is worth telling of a position, as JSON: `{ rings: { black: ['l3'], white: ['l18'] } }`. */
  describe?(state: State): Readonly<Record<string, unknown>>;
  /** The pieces that have legal moves, as JSON: `{ center: 'l3', figure: '7-5-7', name: 'ring', destinations: ['l4'] }`. */
  describePieces?(state: State): readonly object[];
  /** Why `action` is not legal, in words that follow its text. */
  explainIllegal?(state: State, action: Action): string;
  /**
   * Takes `seconds`, 0 or more, from the clock of the player to move: the time that went by since the last
   * move. Who has none left has lost. `undo` gives it back with the move, so call it right before `apply`, and
   * let searches work on a clone. Absent: the game has no clock.
   */
  spendTime?(state: State, seconds: number): void;
  /**
   * A starting position with fewer pieces, for games that begin late.
   *
   * @param share of each player's pieces to remove at random, in [0, 1].
   * @returns its text; null where no piece goes. Absent: the game has no such positions.
   */
  reducedStart?(share: number, rng: Rng): string | null;
  /** Whether `apply` can play `action`, legal or not: records of games have such moves. Absent: legal ones only. */
  canForce?(state: State, action: Action): boolean;
}
