import { type Game, listActions, opponentOf } from '../../../env/game.js';
import { withPlayer } from '../../../env/gess/altered-position.js';
import { figureCode, formatFigureCode, ownFigure } from '../../../env/gess/diagrams/figure-code.js';
import { startSquare } from '../../../env/gess/gess-board.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';

/**
 * Figures with which the opponent of the player to move would break the last ring at once, if it were the opponent's
 * move; from the opponent's view, each once.
 */
export function ringThreats(game: Game<GessPosition>, position: GessPosition): readonly string[] {
  const attacker = opponentOf(position.player);
  const state = withPlayer(position, attacker);
  const figures = new Set<string>();
  for (const action of listActions(game, state)) {
    if (game.mayWin?.(state, action) === false) continue;
    const code = figureCode(state, startSquare(action), attacker);
    game.apply(state, action);
    if (game.outcome(state) === (attacker === 0 ? 1 : -1)) {
      figures.add(formatFigureCode(ownFigure(code, attacker)));
    }
    game.undo(state);
  }
  return [...figures];
}
