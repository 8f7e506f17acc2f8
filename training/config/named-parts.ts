import type { NetworkConfig } from '../network/network-config.js';
import type { GameConfig } from '../games/game-config.js';
import { isJsonObject, type JsonObject } from '../../env/text/json-object.js';
import type { RunConfig } from './run-config.js';
import { assign, parseAssignments } from './setting-assignment.js';

/** Explicitly given settings of the game and the network; defaults are absent. */
export interface NamedParts {
  readonly game: Partial<GameConfig>;
  readonly network: Partial<NetworkConfig>;
}

/** The settings of `part` that the JSON at `name` gives explicitly. */
function namedOf<Part extends object>(content: JsonObject, name: string, part: Part): Partial<Part> {
  const named = content[name];
  const names = new Set(isJsonObject(named) ? Object.keys(named) : []);
  return Object.fromEntries(Object.entries(part).filter(([key]) => names.has(key))) as Partial<Part>;
}

/**
 * The settings of the game and the network that JSON and assignments give explicitly, with their values in `config`.
 *
 * @param config the result of `configWithSettings` for the same JSON and assignments.
 */
export function namedParts(value: unknown, assignments: readonly string[], config: RunConfig): NamedParts {
  const content = isJsonObject(value) ? structuredClone(value) : {};
  for (const assignment of parseAssignments(assignments)) assign(content, assignment);
  return {
    game: namedOf(content, 'game', config.game),
    network: namedOf(content, 'network', config.network),
  };
}
