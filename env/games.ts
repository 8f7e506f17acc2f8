import { connectFourDefinition } from './connect-four/connect-four-definition.js';
import { problemOfDefinition } from './definition/definition-check.js';
import { type Evaluation, NEUTRAL_EVALUATION } from './definition/evaluation.js';
import type { GameDefinition } from './definition/game-definition.js';
import { NotationError } from './errors.js';
import type { Game } from './game.js';
import { gessDefinition } from './gess/gess-definition.js';
import { quessDefinition } from './quess/quess-definition.js';
import { suggestName } from './text/nearest-name.js';
import { quote } from './text/quoted-text.js';

const BUILT_IN: readonly GameDefinition[] = [gessDefinition, quessDefinition, connectFourDefinition];

/** The default game. */
export const DEFAULT_GAME = gessDefinition.id;

/** The ids of the games that come with the program. */
export const GAME_IDS: readonly string[] = BUILT_IN.map(({ id }) => id);

/** All games, by id, in the order of their registration. */
const registry = new Map(BUILT_IN.map((definition) => [definition.id, definition]));

/** A value as text: programs in JavaScript may give anything, and `String` fails for some objects. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : `a value of type ${typeof value}`;
}

/** The definitions of all games, in the order of their registration. */
export function gameDefinitions(): readonly GameDefinition[] {
  return [...registry.values()];
}

/**
 * Adds a game from outside the package. Registering the same definition again has no effect.
 *
 * @throws NotationError `game-invalid` if it is not a definition, or its game lacks a member or has an
 * invalid one; `game-exists` if another game has its id or the id of one of its environments.
 */
export function registerGame<State>(definition: GameDefinition<State>): void {
  const problem = problemOfDefinition(definition);
  if (problem !== null) throw new NotationError('game-invalid', problem);
  const { id, environments = {} } = definition;
  if (registry.get(id) === definition) return;
  if (registry.has(id)) {
    const origin = GAME_IDS.includes(id) ? 'is built in' : 'is registered already';
    throw new NotationError('game-exists', `expected a new id for a game, but ${quote(id)} ${origin}`);
  }
  const known = gameDefinitions().flatMap((other) => Object.keys(other.environments ?? {}));
  const taken = Object.keys(environments).find((name) => known.includes(name));
  if (taken !== undefined) {
    throw new NotationError(
      'game-exists',
      `expected a new id for an environment, but ${quote(taken)} is registered`,
    );
  }
  registry.set(id, definition);
}

/**
 * The definition of a game.
 *
 * @throws NotationError `game-unknown`.
 */
export function gameDefinition(id: string): GameDefinition {
  const definition = registry.get(id);
  if (definition !== undefined) return definition;
  const known = [...registry.keys()];
  const text = asText(id);
  const end = suggestName(text, known, '; --game ./my-game.mjs loads a game from a module');
  throw new NotationError('game-unknown', `expected a game of ${known.join(', ')}, got ${quote(text)}${end}`);
}

/**
 * Creates a game.
 *
 * @param rules as the game writes them; `default` is the game's default.
 * @throws NotationError `game-unknown`, `rules-unknown`.
 */
export function createGame(id: string, rules = 'default'): Game<unknown> {
  return gameDefinition(id).create({ rules: asText(rules) });
}

/** The names of a game's hand-written evaluations, the default first; none for a game that is not registered. */
export function evaluationNames(id: string): readonly string[] {
  return Object.keys(registry.get(id)?.evaluations ?? {});
}

/**
 * Creates the hand-written evaluation of a game's positions. Not for concurrent use: it may keep state
 * between calls.
 *
 * @param name one of `evaluationNames`. Defaults to the first.
 * @returns a neutral evaluation if the game has none with that name.
 */
export function createEvaluation<State>(
  game: Pick<Game<State>, 'id' | 'rules'>,
  name = evaluationNames(game.id)[0],
): Evaluation<State> {
  const evaluations = registry.get(game.id)?.evaluations ?? {};
  if (name === undefined || !Object.hasOwn(evaluations, name)) return NEUTRAL_EVALUATION;
  // Its positions are of type `State`, which the registry does not know.
  return evaluations[name]!(game.rules);
}
