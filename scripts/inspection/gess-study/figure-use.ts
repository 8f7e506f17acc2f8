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
import { QUANTILE_97_5 } from '../../../training/statistics/normal-distribution.js';

/** How often a kind of piece is moved. */
export interface FigureShare {
  /** `7-5-7`, from the mover's view: its first row is the front. */
  readonly figure: string;
  readonly name: string | null;
  /** Share of a game's moves that the searches recommend: mean over games, and half its 95 % interval. */
  readonly moves: number;
  readonly error: number;
  /** This share divided by that of a game's legal moves: above 1, the piece is preferred. */
  readonly preference: number;
}

/** Sums of one game by figure: shares of the policy, and of the legal moves. */
interface GameUse {
  rows: number;
  readonly wanted: Map<FigureCode, number>;
  readonly possible: Map<FigureCode, number>;
}

function addTo(sums: Map<FigureCode, number>, figure: FigureCode, share: number): void {
  sums.set(figure, (sums.get(figure) ?? 0) + share);
}

/** Counts the pieces that searches want to move, and those that could move. */
export class FigureUse {
  private readonly games = new Map<number, GameUse>();

  /** @param policy probabilities of the legal `actions`, in their order. */
  add(gameId: number, position: GessPosition, actions: ArrayLike<Action>, policy: ArrayLike<number>): void {
    const { player } = position;
    const use = this.games.get(gameId) ?? { rows: 0, wanted: new Map(), possible: new Map() };
    this.games.set(gameId, use);
    use.rows += 1;
    for (let index = 0; index < actions.length; index++) {
      const code = figureCode(position, startSquare(actions[index]!), player);
      const figure = ownFigure(code, player);
      addTo(use.wanted, figure, policy[index]!);
      addTo(use.possible, figure, 1 / actions.length);
    }
  }

  /** The `limit` figures that are moved most, in descending order. A long game counts as much as a short one. */
  most(limit: number): readonly FigureShare[] {
    const games = [...this.games.values()];
    const wanted = new Map<FigureCode, number>();
    const possible = new Map<FigureCode, number>();
    for (const game of games) {
      for (const [code, sum] of game.wanted) addTo(wanted, code, sum / game.rows / games.length);
      for (const [code, sum] of game.possible) addTo(possible, code, sum / game.rows / games.length);
    }
    return [...wanted]
      .sort(([a, share], [b, other]) => other - share || a - b)
      .slice(0, limit)
      .map(([code, share]) => ({
        figure: formatFigureCode(code),
        name: figureName(code, 0),
        moves: share,
        error: (QUANTILE_97_5 * Math.sqrt(squaresOf(games, code, share))) / games.length,
        preference: share / possible.get(code)!,
      }));
  }
}

/** Sum over games of the squared difference from a share. */
function squaresOf(games: readonly GameUse[], code: FigureCode, share: number): number {
  return games.reduce((sum, { rows, wanted }) => sum + ((wanted.get(code) ?? 0) / rows - share) ** 2, 0);
}
