import { type EnvId, environmentIdOf, formatEnvId } from '../definition/environment-id.js';
import type { GameDefinition } from '../definition/game-definition.js';
import { EnvError } from '../errors.js';
import { gameDefinitions } from '../games.js';
import { quoteName } from '../text/described-value.js';
import { nearestName } from '../text/nearest-name.js';
import { quote } from '../text/quoted-text.js';

/** An environment that `make` knows. */
export interface EnvEntry {
  /** With namespace and version. */
  readonly id: string;
  readonly game: GameDefinition;
  /** The default of the keyword `rules`; absent: the environment has no such keyword. */
  readonly rules?: string;
}

function entries(): readonly EnvEntry[] {
  return gameDefinitions().flatMap((game) =>
    Object.entries(game.environments ?? {}).map(([id, environment]) => ({ id, game, ...environment })),
  );
}

/**
 * Parses an id, `[namespace/]name[-vVERSION]`, as in Gymnasium.
 *
 * @throws EnvError `env-id`.
 */
export function parseEnvId(id: string): EnvId {
  const text: unknown = id;
  const parsed = typeof text === 'string' ? environmentIdOf(text) : null;
  if (parsed !== null) return parsed;
  throw new EnvError('env-id', `expected an id [namespace/]name[-vVERSION], got ${quoteName(text)}`);
}

/** The ids that `make` knows, in the order of their registration. */
export function registeredIds(): readonly string[] {
  return entries().map(({ id }) => id);
}

/**
 * The environment that an id means, the highest version for an id without one.
 *
 * @throws EnvError `env-id`, `env-unknown`, which names the nearest id.
 */
export function findEntry(id: string): EnvEntry {
  const { namespace, name, version } = parseEnvId(id);
  const versions = registeredIds()
    .map(parseEnvId)
    .filter((known) => known.namespace === namespace && known.name === name)
    .map((known) => known.version!);
  const highest = Math.max(...versions);
  if (versions.length > 0) {
    const found = formatEnvId({ namespace, name, version: version ?? highest });
    const entry = entries().find((known) => known.id === found);
    if (entry !== undefined) return entry;
    const known = versions.map((number) => `v${number}`).join(', ');
    throw new EnvError(
      'env-unknown',
      `expected a version ${known} of ${formatEnvId({ namespace, name, version: null })}, got ${quote(id)}`,
    );
  }
  throw new EnvError('env-unknown', `expected a registered environment, got ${quote(id)}${suggestion(id)}`);
}

function suggestion(id: string): string {
  const ids = registeredIds();
  const byName = new Map(ids.map((known) => [known.replace(/-v\d+$/, ''), known]));
  const nearest = nearestName(id.replace(/-v\d+$/, ''), [...byName.keys()]);
  return nearest === undefined
    ? `; there are ${ids.join(', ')}`
    : `; did you mean '${byName.get(nearest)!}'?`;
}
