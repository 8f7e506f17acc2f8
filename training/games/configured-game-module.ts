import { resolve } from 'node:path';
import * as z from 'zod';
import { loadGameModule, moduleOfGame } from './game-module.js';

/** The part of a configuration that names its game module. */
const NamedModule = z.looseObject({
  game: z.looseObject({ id: z.string().optional(), module: z.string() }),
});

/**
 * Loads the module that a configuration names at `game.module`, unless the game has been loaded from another place.
 *
 * @param value a configuration as JSON; not changed.
 * @param folder the folder that a relative path starts from.
 * @returns the configuration with the absolute path of the module; `value` itself if it names no module.
 * @throws NotationError as `loadGameModule`.
 */
export async function withGameModule(value: unknown, folder: string): Promise<unknown> {
  const named = NamedModule.safeParse(value);
  if (!named.success) return value;
  const { game } = named.data;
  const module = resolve(folder, game.module);
  if (game.id === undefined || moduleOfGame(game.id) === undefined) await loadGameModule(module);
  return { ...named.data, game: { ...game, module } };
}
