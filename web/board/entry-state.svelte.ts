import type { Action } from '../../env/game.js';
import { nearest } from './entry.js';
import { effectOf, type MoveEffect } from './move-effect.js';
import type { Square } from './rules/board-rules.js';
import type { PositionView } from './position-view.js';

/** Settings of the entry of moves. */
export interface EntryOptions {
  readonly view: () => PositionView;
  /** Whether moves can be entered now. */
  readonly isOpen: () => boolean;
  /** Whether a move waits for `confirm`. */
  readonly needsConfirm: () => boolean;
  /** Whether a finger enlarges small squares before it chooses one; absent: no. */
  readonly zooms?: () => boolean;
  readonly onMove: (action: Action) => void;
}

/**
 * The entry of a move on the board: the person chooses a piece, then its destination, and confirms the move if
 * necessary.
 */
export class EntryState {
  /** Square of the chosen piece. */
  chosen = $state<Square | null>(null);
  /** The chosen destination, while it waits for `confirm`. */
  goal = $state<Square | null>(null);
  /** The square under the pointer, or with the keyboard focus. */
  pointed = $state<Square | null>(null);
  private readonly options: EntryOptions;

  constructor(options: EntryOptions) {
    this.options = options;
  }

  /** Moves of the chosen piece, or of those that come from outside the board, by their end. */
  readonly ends: ReadonlyMap<Square, Action> = $derived.by(() => {
    const { table, moves } = this.options.view();
    if (!this.options.isOpen()) return new Map<Square, Action>();
    if (table.board.dropsPieces) return moves.endsOf(null);
    return this.chosen === null ? new Map<Square, Action>() : moves.endsOf(this.chosen);
  });

  /** The effects of these moves, by their end. */
  readonly effects: ReadonlyMap<Square, MoveEffect> = $derived.by(() => {
    const { table, state } = this.options.view();
    return new Map(Array.from(this.ends, ([end, action]) => [end, effectOf(table, state, action)]));
  });

  /** The effect to show: of the waiting move, or of the move to the square under the pointer. */
  readonly shown: MoveEffect | null = $derived.by(() => {
    const end = this.goal ?? (this.pointed === null ? undefined : this.endAt(this.pointed, 0));
    return end === undefined ? null : (this.effects.get(end) ?? null);
  });

  /** Whether a finger enlarges small squares before it chooses one. */
  get zooms(): boolean {
    return this.options.zooms?.() ?? false;
  }

  /** The move that waits for `confirm`; null if there is none. */
  readonly waiting: Action | null = $derived.by(() =>
    this.goal === null ? null : (this.ends.get(this.goal) ?? null),
  );

  /** The end of a move that the square stands for: itself, one near it, or the lowest free square of its column. */
  endAt(square: Square, reach: number): Square | undefined {
    const { board } = this.options.view().table;
    if (board.dropsPieces) {
      return [...this.ends.keys()].find((end) => end % board.columns === square % board.columns);
    }
    return nearest(board.columns, square, this.ends.keys(), reach);
  }

  /**
   * A click or a tap on a square, or Enter on it.
   *
   * @param reach rows and columns by which it may miss a destination.
   */
  tap(square: Square, reach = 0): void {
    if (!this.options.isOpen()) return;
    const { moves } = this.options.view();
    const end = this.endAt(square, 0) ?? (moves.canStart(square) ? undefined : this.endAt(square, reach));
    if (end !== undefined) {
      this.propose(end);
      return;
    }
    this.choose(square === this.chosen || !moves.canStart(square) ? null : square);
  }

  /** Chooses the piece on a square, or none. */
  choose(square: Square | null): void {
    this.goal = null;
    this.chosen = square;
  }

  /** Plays the move of the chosen piece to `end`, or lets it wait for `confirm`. */
  propose(end: Square): void {
    if (this.options.needsConfirm() && this.goal !== end) this.goal = end;
    else this.play(end);
  }

  /** Plays the move that waits. */
  confirm(): void {
    if (this.goal !== null) this.play(this.goal);
  }

  /** Forgets what was entered. */
  clear(): void {
    this.choose(null);
  }

  private play(end: Square): void {
    const action = this.ends.get(end);
    this.clear();
    if (action !== undefined) this.options.onMove(action);
  }
}
