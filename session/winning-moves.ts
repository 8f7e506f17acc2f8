import { createEvaluation } from '../env/games.js';
import { type Action, type Game, NO_ACTION, resultOf } from '../env/game.js';

/** Finds moves that win by force, exactly, by trying all replies. */
export class WinningMoves<State> {
  private readonly game: Game<State>;
  /** The legal moves at each of three plies. */
  private readonly lists: readonly Int32Array[];
  private readonly winningAction: ((state: State) => Action) | undefined;

  constructor(game: Game<State>) {
    this.game = game;
    this.lists = Array.from({ length: 3 }, () => new Int32Array(game.maxLegalActions));
    const { tactics } = createEvaluation(game);
    this.winningAction = tactics && ((state) => tactics.winningAction(state));
  }

  /** The moves of `state`, which is left unchanged, that win at once. */
  inOne(state: State): readonly Action[] {
    return this.filter(state, 0, (action) => resultOf(this.game, state, action) === 1);
  }

  /** The moves after which the player to move wins, at once or after any reply at the next move. */
  inTwo(state: State): readonly Action[] {
    return this.filter(state, 0, (action) => {
      const result = resultOf(this.game, state, action);
      return result === null ? this.after(state, action, () => this.isLost(state)) : result === 1;
    });
  }

  /** Whether every move of the player to move loses, at once or to an answer that wins at once. */
  private isLost(state: State): boolean {
    const { game } = this;
    const list = this.lists[1]!;
    const count = game.legalActions(state, list);
    for (let i = 0; i < count; i++) {
      const action = list[i]!;
      const result = resultOf(game, state, action);
      if (result === -1) continue;
      if (result !== null || !this.after(state, action, () => this.hasWin(state))) return false;
    }
    return true;
  }

  private hasWin(state: State): boolean {
    if (this.winningAction !== undefined) return this.winningAction(state) !== NO_ACTION;
    return this.filter(state, 2, (action) => resultOf(this.game, state, action) === 1).length > 0;
  }

  private after<T>(state: State, action: Action, look: () => T): T {
    this.game.apply(state, action);
    const seen = look();
    this.game.undo(state);
    return seen;
  }

  private filter(state: State, ply: number, isWanted: (action: Action) => boolean): readonly Action[] {
    const list = this.lists[ply]!;
    return Array.from(list.subarray(0, this.game.legalActions(state, list))).filter(isWanted);
  }
}
