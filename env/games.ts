import { connectFour } from './connect-four/connect-four.js';
import { NotationError } from './errors.js';
import type { Game } from './game.js';
import { createGess } from './gess/gess.js';
import { createQuess } from './quess/quess.js';

/** What makes each game from the text of its rules, by its id. */
const GAMES: Readonly<Record<string, (rules: string) => Game<unknown>>> = {
  gess: (rules) => createGess({ rules }),
  quess: (rules) => createQuess({ rules }),
  'connect-four': (rules) => {
    if (rules === 'default' || rules === connectFour.rules) return connectFour;
    throw new NotationError('rules-unknown', `expected rules '${connectFour.rules}', got '${rules}'`);
  },
};

/** The ids that `createGame` knows. */
export const GAME_IDS: readonly string[] = Object.keys(GAMES);

/**
 * A game by its id and the text of its rules; `default` names the game's own default.
 *
 * @throws NotationError `game-unknown`, `rules-unknown`.
 */
export function createGame(id: string, rules = 'default'): Game<unknown> {
  const create = Object.hasOwn(GAMES, id) ? GAMES[id] : undefined;
  if (create === undefined) {
    throw new NotationError('game-unknown', `expected a game of ${GAME_IDS.join(', ')}; got '${id}'`);
  }
  return create(rules);
}
