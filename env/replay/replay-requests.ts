import * as z from 'zod';
import { CodedError, NotationError } from '../errors.js';
import type { Game } from '../game.js';
import { createGame, DEFAULT_GAME } from '../games.js';
import { validate } from '../problems-text.js';
import { parseJsonText } from '../text/json-text.js';
import { quote } from '../text/quoted-text.js';
import { replayMoves } from './replay.js';

/** Bounds the cache: lines may name any number of rules, such as one clock for each second of a day. */
const MAX_KEPT_GAMES = 64;

/** A line of `gess replay --batch`. */
const ReplayRequest = z.strictObject({
  game: z.string().optional(),
  rules: z.string().optional(),
  moves: z.string().default(''),
  position: z.string().optional(),
  force: z.boolean().optional(),
});
type ReplayRequest = z.infer<typeof ReplayRequest>;

/** Members that lines may leave out; `rules` and `position` hold for lines of this game. */
export interface ReplayDefaults {
  readonly game: string;
  readonly rules: string;
  readonly position?: string | undefined;
  readonly force?: boolean | undefined;
}

function parseRequest(line: string): ReplayRequest {
  let json: unknown;
  try {
    json = parseJsonText(line);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new NotationError('request-syntax', `not a line of JSON: ${cause.message}; got ${quote(line)}`, {
      cause,
    });
  }
  return validate(
    ReplayRequest,
    json,
    (problems) => new NotationError('request-syntax', `not a replay request: ${problems}`),
  );
}

function withDefaults(
  { game, force, ...request }: ReplayRequest,
  defaults: ReplayDefaults,
): Omit<ReplayRequest, 'game' | 'rules'> & Pick<ReplayDefaults, 'game' | 'rules'> {
  const common = { game: game ?? defaults.game, force: force ?? defaults.force };
  const { rules, position } = common.game === defaults.game ? defaults : { rules: 'default' };
  return { ...request, ...common, rules: request.rules ?? rules, position: request.position ?? position };
}

/** The answer to a request that failed. */
export function replayErrorAnswer({ code, message }: CodedError): string {
  return JSON.stringify({ error: { code, message } });
}

/**
 * Creates a function that answers a line of JSON, `{"game", "rules", "moves", "position", "force"}`, with a
 * line of JSON: a `ReplayResult` or `{"error": {"code", "message"}}`. The function caches the games it
 * creates.
 */
export function createReplayAnswerer(
  defaults: ReplayDefaults = { game: DEFAULT_GAME, rules: 'default' },
): (line: string) => string {
  const games = new Map<string, Game<unknown>>();
  const gameOf = (id: string, rules: string): Game<unknown> => {
    const key = `${id} ${rules}`;
    const known = games.get(key);
    if (known !== undefined) return known;
    const game = createGame(id, rules);
    if (games.size >= MAX_KEPT_GAMES) games.clear();
    games.set(key, game);
    return game;
  };
  const answer = (line: string): unknown => {
    const { game: id, rules, ...replay } = withDefaults(parseRequest(line), defaults);
    return replayMoves(gameOf(id, rules), replay);
  };
  return (line) => {
    try {
      return JSON.stringify(answer(line));
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return replayErrorAnswer(error as CodedError);
    }
  };
}
