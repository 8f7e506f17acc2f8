import { EnvError } from '../errors.js';
import type { Action, Game } from '../game.js';
import type { Rng } from '../random.js';

/** Whoever plays the other side of a game for an environment of one agent. */
export interface Opponent<State = unknown> {
  /** The text that made it: `random`. */
  readonly name: string;
  /**
   * A legal action of the player to move. It may apply and undo, and leaves `state` as it was. The choice may
   * follow from the state and the stream only, so that a saved episode goes on as it would have.
   */
  choose(state: State, rng: Rng): Action;
}

/**
 * Makes the opponent that a text names.
 *
 * @throws EnvError `opponent` for a text that it does not know.
 */
export type OpponentMaker = (text: string, game: Game<unknown>) => Opponent;

/** Plays any legal action, all with equal probability. */
export function randomOpponent<State>(game: Game<State>): Opponent<State> {
  const legal = new Int32Array(game.maxLegalActions);
  return {
    name: 'random',
    choose: (state, rng) => legal[rng.integer(game.legalActions(state, legal))]!,
  };
}

/** The opponents that need nothing but the game: `random`. `agents/environment-opponent.ts` knows stronger ones. */
export function createBasicOpponent(text: string, game: Game<unknown>): Opponent {
  if (text === 'random') return randomOpponent(game);
  throw new EnvError('opponent', `expected an opponent 'random', got '${text}'`);
}
