import { drawCarefulAction } from '../../agents/immediate/careful-agent.js';
import type { Action, Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { TrainingError } from '../training-error.js';

/** Number of random openings that may end the game before drawing one fails. */
const MAX_DRAWS = 1_000;

/**
 * Draws an opening for a match or a training game: random moves from the start of the game that do not lose immediately
 * and do not end the game. An opening that ends the game is replaced by another one.
 *
 * @returns `plies` actions.
 * @throws TrainingError `opening-too-long` if hardly any game lasts for `plies` plies.
 */
export function drawOpening<State>(game: Game<State>, rng: Rng, plies: number): Action[] {
  return continueOpening(game, [], rng, plies);
}

/**
 * Continues an opening with random moves, as `drawOpening` does.
 *
 * @returns `line` and `plies` further actions.
 * @throws TrainingError `opening-too-long` if hardly any game lasts that long.
 */
export function continueOpening<State>(
  game: Game<State>,
  line: readonly Action[],
  rng: Rng,
  plies: number,
): Action[] {
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const state = game.initialState();
    for (const action of line) game.apply(state, action);
    const actions = [...line];
    while (actions.length < line.length + plies && game.outcome(state) === null) {
      const action = drawCarefulAction(game, state, rng);
      game.apply(state, action);
      actions.push(action);
    }
    if (game.outcome(state) === null) return actions;
  }
  throw new TrainingError(
    'opening-too-long',
    `expected games of ${game.id} to last for ${line.length + plies} plies; ${MAX_DRAWS} random games were shorter`,
  );
}
