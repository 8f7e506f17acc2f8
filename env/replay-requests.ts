import { z } from 'zod';
import { CodedError, NotationError } from './errors.js';
import type { Game } from './game.js';
import { createGame } from './games.js';
import { replayMoves } from './replay.js';

/** A line of `gess replay --batch`. */
const ReplayRequest = z.strictObject({
  game: z.string().default('gess'),
  rules: z.string().default('default'),
  moves: z.string().default(''),
  position: z.string().optional(),
  force: z.boolean().default(false),
});

function parseRequest(line: string): z.infer<typeof ReplayRequest> {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    throw new NotationError('request-syntax', `expected a line of JSON, got '${line.slice(0, 80)}'`, {
      cause: error,
    });
  }
  const request = ReplayRequest.safeParse(json);
  if (request.success) return request.data;
  throw new NotationError('request-syntax', `not a replay request: ${z.prettifyError(request.error)}`);
}

/**
 * What answers lines of JSON, `{"game", "rules", "moves", "position", "force"}`, each by a line of JSON: a
 * `ReplayResult` or `{"error": {"code", "message"}}`. It keeps the games that it made.
 */
export function createReplayAnswerer(): (line: string) => string {
  const games = new Map<string, Game<unknown>>();
  const answer = (line: string): unknown => {
    const { game: id, rules, ...replay } = parseRequest(line);
    const key = `${id} ${rules}`;
    const game = games.get(key) ?? createGame(id, rules);
    games.set(key, game);
    return replayMoves(game, replay);
  };
  return (line) => {
    try {
      return JSON.stringify(answer(line));
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return JSON.stringify({ error: { code: String(error.code), message: error.message } });
    }
  };
}
