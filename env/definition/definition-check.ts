import { CodedError } from '../errors.js';
import type { Game } from '../game.js';
import { environmentIdOf, formatEnvId } from './environment-id.js';
import type { GameDefinition } from './game-definition.js';
import { quote } from '../text/quoted-text.js';
import { errorText } from '../text/error-text.js';

const GAME_ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

type Content = Readonly<Record<string, unknown>>;

/** The members of `Game` that every game must have, by their `typeof`. */
const GAME_MEMBERS: Readonly<Record<string, readonly (keyof Game<unknown>)[]>> = {
  string: ['id', 'rules'],
  number: ['rulesVersion', 'encodingVersion', 'numActions', 'maxLegalActions', 'plyLimit', 'packedSize'],
  object: ['playerNames', 'encoding', 'observationShape', 'policyShape', 'symmetries'],
  function: [
    ...(['initialState', 'clone', 'currentPlayer', 'ply', 'outcome'] as const),
    ...(['legalActions', 'countLegalActions', 'isLegal', 'apply', 'undo'] as const),
    ...(['historyLength', 'historyAction', 'hash', 'observationHash', 'observe'] as const),
    ...(['policyIndex', 'actionOfPolicyIndex', 'pack', 'unpack', 'parsePosition'] as const),
    ...(['formatPosition', 'parseAction', 'formatAction', 'render'] as const),
  ],
};

/** Greatest of the numbers that this program writes in 32 bits. */
const MAX_INT32 = 2 ** 31 - 1;
/** Greatest size of a buffer for a position. */
const MAX_BUFFER = 2 ** 20;

/** Least and greatest values of whole numbers of a game. */
const RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  rulesVersion: [0, MAX_INT32],
  encodingVersion: [0, MAX_INT32],
  numActions: [1, MAX_INT32],
  maxLegalActions: [1, MAX_BUFFER],
  plyLimit: [1, Infinity],
  packedSize: [1, MAX_BUFFER],
};

function isObject(value: unknown): value is Content {
  return typeof value === 'object' && value !== null;
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : value === undefined ? 'nothing' : typeof value;
}

/** The first problem of a part that maps names to values; null if there is none. */
function problemOfRecord(
  name: string,
  part: unknown,
  problemOfEntry: (key: string, value: unknown) => string | null,
): string | null {
  if (part === undefined) return null;
  if (!isObject(part)) return `expected an object as ${name}, got ${kindOf(part)}`;
  for (const [key, value] of Object.entries(part)) {
    const problem = problemOfEntry(key, value);
    if (problem !== null) return `${name}: ${problem}`;
  }
  return null;
}

function problemOfEnvironment(id: string, environment: unknown): string | null {
  const parsed = environmentIdOf(id);
  if (typeof parsed?.version !== 'number' || formatEnvId(parsed) !== id)
    return `expected an id with a version, such as acme/TicTacToe-v0, got ${quote(id)}`;
  if (!isObject(environment)) return `expected an object for ${id}, got ${kindOf(environment)}`;
  const { rules } = environment;
  if (rules === undefined || typeof rules === 'string') return null;
  return `expected text as rules of ${id}, got ${kindOf(rules)}`;
}

function problemOfEvaluation(name: string, create: unknown): string | null {
  return typeof create === 'function' ? null : `expected a function as ${name}, got ${kindOf(create)}`;
}

function problemOfIntroduction(lines: unknown): string | null {
  if (lines === undefined) return null;
  const areTexts = Array.isArray(lines) && lines.every((line) => typeof line === 'string');
  return areTexts ? null : `expected a list of texts as introduction, got ${kindOf(lines)}`;
}

/** Describes the first number out of range, or invalid player names; null if all are valid. */
function problemOfValues(game: Content): string | null {
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value = game[name] as number;
    if (value >= least && value <= most && (Number.isInteger(value) || value === Infinity)) continue;
    return `expected a game whose ${name} is a whole number from ${least} to ${most}, got ${value}`;
  }
  const { playerNames: names } = game;
  if (
    Array.isArray(names) &&
    names.length === 2 &&
    names.every((name) => typeof name === 'string' && name !== '')
  )
    return null;
  return 'expected a game whose playerNames are two texts';
}

/** The first problem of the game itself: a wrong member, or an encoding that does not fit the planes. */
function problemOfGame(id: string, game: unknown): string | null {
  if (!isObject(game)) return `expected create to return a game, got ${kindOf(game)}`;
  for (const [kind, names] of Object.entries(GAME_MEMBERS)) {
    const missing = names.find((name) => typeof game[name] !== kind || game[name] === null);
    if (missing === undefined) continue;
    return `expected a game whose ${missing} is of type ${kind}, got ${kindOf(game[missing])}`;
  }
  const problem = problemOfValues(game);
  if (problem !== null) return problem;
  if (game['id'] !== id) return `expected a game with id ${quote(id)}, got ${quote(String(game['id']))}`;
  const { encoding, observationShape } = game as unknown as Game<unknown>;
  if (!Array.isArray(encoding.planes) || encoding.planes.length !== observationShape[2]) {
    return `expected encoding.planes with a text for each of the ${observationShape[2]} planes of observationShape`;
  }
  return null;
}

function createDefault(definition: GameDefinition): unknown {
  return definition.create({ rules: 'default' });
}

/**
 * Describes the first problem of a value that should be a game definition; null if it is one whose game has all
 * members. Does not play the game; `checkGame` of the conformance kit does.
 */
export function problemOfDefinition(value: unknown): string | null {
  if (!isObject(value)) return `expected a game definition { id, create, … }, got ${kindOf(value)}`;
  const { id, create, environments, evaluations, introduction } = value;
  if (typeof id !== 'string' || !GAME_ID.test(id)) {
    return `expected id as lower-case words with hyphens between them, got ${typeof id === 'string' ? quote(id) : kindOf(id)}`;
  }
  if (typeof create !== 'function') return `expected a function as create, got ${kindOf(create)}`;
  const problem =
    problemOfRecord('environments', environments, problemOfEnvironment) ??
    problemOfRecord('evaluations', evaluations, problemOfEvaluation) ??
    problemOfIntroduction(introduction);
  if (problem !== null) return problem;
  try {
    return problemOfGame(id, createDefault(value as unknown as GameDefinition));
  } catch (error) {
    const code = error instanceof CodedError ? ` [${error.code}]` : '';
    return `create failed with the default rules: ${errorText(error)}${code}`;
  }
}
