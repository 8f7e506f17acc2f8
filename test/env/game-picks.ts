import fc from 'fast-check';
import { chooseGame, playActions } from '../../env/environments/conformance/game-play.js';
import type { Game } from '../../env/game.js';

/** A game as numbers that choose among the legal moves, so that failures shrink to short games. */
export const picks = fc.array(fc.nat(2 ** 20), { maxLength: 40 });

/** The last state of the game that the picks choose. */
export function playPicks<State>(game: Game<State>, numbers: readonly number[]): State {
  return playActions(game, chooseGame(game, numbers));
}
