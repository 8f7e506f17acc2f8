import { drawCarefulAction } from '../../agents/careful.js';
import type { Action, Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';

/**
 * Random moves from the game's start that lose nothing at once and leave the game open: the start of a
 * match game or a training game. An opening that ends the game is drawn again.
 *
 * @returns `plies` actions.
 */
export function drawOpening<State>(game: Game<State>, rng: Rng, plies: number): Action[] {
  for (;;) {
    const state = game.initialState();
    const actions: Action[] = [];
    while (actions.length < plies && game.outcome(state) === null) {
      const action = drawCarefulAction(game, state, rng);
      game.apply(state, action);
      actions.push(action);
    }
    if (actions.length === plies && game.outcome(state) === null) return actions;
  }
}
