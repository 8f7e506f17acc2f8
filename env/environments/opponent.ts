import { EnvError } from '../errors.js';
import type { Action, Game } from '../game.js';
import type { Rng } from '../random.js';
import { describeValue } from '../text/described-value.js';
import { suggestName } from '../text/nearest-name.js';
import { quote } from '../text/quoted-text.js';

/** The other side of a game in an environment for one agent. */
export interface Opponent<State = unknown> {
  /** The text that names it: `random`. */
  readonly name: string;
  /**
   * Chooses a legal action of the player to move. It may apply and undo moves, but must leave `state`
   * unchanged. The choice may depend only on the state and the stream, so that saved episodes resume exactly.
   */
  choose(state: State, rng: Rng): Action;
}

/**
 * Creates the opponent that a text names.
 *
 * @throws EnvError `opponent` for an unknown text.
 */
export type OpponentMaker = (text: string, game: Game<unknown>) => Opponent;

/**
 * Checks an opponent of a program without types.
 *
 * @throws EnvError `opponent` for a value without a function `choose`.
 */
export function expectOpponent(value: unknown): void {
  if (typeof value === 'object' && value !== null && 'choose' in value && typeof value.choose === 'function')
    return;
  throw new EnvError('opponent', `expected an opponent with a function choose, got ${describeValue(value)}`);
}

/** Plays legal actions with equal probability. */
export function randomOpponent<State>(game: Game<State>): Opponent<State> {
  const legal = new Int32Array(game.maxLegalActions);
  return {
    name: 'random',
    choose: (state, rng) => legal[rng.integer(game.legalActions(state, legal))]!,
  };
}

/**
 * Creates an opponent that needs only the game: `random`. `agents/environment-opponent.ts` has stronger ones.
 */
export function createBasicOpponent(text: string, game: Game<unknown>): Opponent {
  if (text === 'random') return randomOpponent(game);
  throw new EnvError(
    'opponent',
    `expected the opponent 'random', got ${quote(text)}${suggestName(text, ['random'])}`,
  );
}
