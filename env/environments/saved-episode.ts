import * as z from 'zod';
import { EnvError } from '../errors.js';
import { validate } from '../problems-text.js';
import { RngState } from '../spaces/rng-state.js';
import type { Episode } from './episode.js';
import type { EnvState } from './environment.js';
import { rulesDigest } from './rules-digest.js';

/** A list of numbers; checked as a whole, because a problem for each of a million items takes seconds. */
function numbersThat(isValid: (value: number) => boolean, expected: string): z.ZodType<readonly number[]> {
  return z.custom<readonly number[]>(
    (list) => Array.isArray(list) && list.every((value) => typeof value === 'number' && isValid(value)),
    { error: `expected a list of ${expected}` },
  );
}

/** The fields of `EnvState` that every environment of a game has. */
export const SavedEpisode = z.strictObject({
  version: z.literal(1),
  /** `rulesDigest` of the game. */
  rules: z.string(),
  plyLimit: z.int(),
  /** The state of the environment's random stream. */
  rng: RngState,
  start: z.string().nullable(),
  actions: numbersThat((value) => Number.isSafeInteger(value) && value >= 0, 'actions'),
  seconds: numbersThat((value) => Number.isFinite(value) && value >= 0, 'seconds'),
});

/** The state of an episode as plain JSON. */
export function saveEpisode<State>(episode: Episode<State>): z.infer<typeof SavedEpisode> {
  const { game, plyLimit, rng } = episode;
  return { version: 1, rules: rulesDigest(game), plyLimit, rng: [...rng.state()], ...episode.record() };
}

/** The error for a value that `save` has not returned. */
export function notSaved(problems: string, cause: Error): EnvError {
  return new EnvError('state-mismatch', `expected a state from save(): ${problems}`, { cause });
}

/**
 * Validates a saved state for `episode`, except for its actions, which are not played.
 *
 * @throws EnvError `state-mismatch`.
 */
export function readEpisode<State, Saved extends z.infer<typeof SavedEpisode>>(
  schema: z.ZodType<Saved>,
  episode: Episode<State>,
  saved: EnvState,
): Saved {
  const read = validate(schema, saved, notSaved);
  const { game, plyLimit } = episode;
  if (read.rules !== rulesDigest(game)) {
    const expected = `a state of ${game.id} by the rules ${game.rules}, digest ${rulesDigest(game)}`;
    throw new EnvError('state-mismatch', `expected ${expected}, got digest ${read.rules}`);
  }
  if (read.plyLimit !== plyLimit) {
    throw new EnvError('state-mismatch', `expected ply limit ${plyLimit}, got ${read.plyLimit}`);
  }
  return read;
}
