import type { Action } from '../../../env/game.js';
import {
  type FigureCode,
  figureCode,
  figureName,
  formatFigureCode,
  ownFigure,
} from '../../../env/gess/diagrams/figure-code.js';
import { startSquare } from '../../../env/gess/gess-board.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';

/** How often a kind of piece is moved. */
export interface FigureShare {
  /** `7-5-7`, from the mover's view: its first row is the front. */
  readonly figure: string;
  readonly name: string | null;
  /** Share of the moves that the searches recommend. */
  readonly moves: number;
  /** Share of these moves divided by the share of the legal moves: above 1, the piece is preferred. */
  readonly preference: number;
}

/** Counts the pieces that searches want to move, and those that could move. */
export class FigureUse {
  private readonly wanted = new Map<FigureCode, number>();
  private readonly possible = new Map<FigureCode, number>();
  private rows = 0;

  /** @param policy probabilities of the legal `actions`, in their order. */
  add(position: GessPosition, actions: ArrayLike<Action>, policy: ArrayLike<number>): void {
    const { player } = position;
    this.rows += 1;
    for (let index = 0; index < actions.length; index++) {
      const code = figureCode(position, startSquare(actions[index]!), player);
      const figure = ownFigure(code, player);
      this.wanted.set(figure, (this.wanted.get(figure) ?? 0) + policy[index]!);
      this.possible.set(figure, (this.possible.get(figure) ?? 0) + 1 / actions.length);
    }
  }

  /** The `limit` figures that are moved most, in descending order. */
  most(limit: number): readonly FigureShare[] {
    return [...this.wanted]
      .sort(([a, share], [b, other]) => other - share || a - b)
      .slice(0, limit)
      .map(([code, share]) => ({
        figure: formatFigureCode(code),
        name: figureName(code, 0),
        moves: share / this.rows,
        preference: share / this.possible.get(code)!,
      }));
  }
}
