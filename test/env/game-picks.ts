import fc from 'fast-check';
import { chooseGame, playActions } from '../../env/environments/conformance/game-play.js';
import type { Game } from '../../env/game.js';

/** A game as numbers, each choosing among the moves at hand, so that a failure shrinks to a short game. */
export const picks = fc.array(fc.nat(2 ** 20), { maxLength: 40 });

/** The last state of the game that numbers choose. */
export function playPicks<State>(game: Game<State>, numbers: readonly number[]): State {
  return playActions(game, chooseGame(game, numbers));
}
