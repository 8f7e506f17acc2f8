import { closeSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GameDefinition } from '../../env/definition/game-definition.js';
import { NotationError, type NotationErrorCode } from '../../env/errors.js';
import { openInputSync } from '../../data/files/input-file.js';
import { registerGame } from '../../env/games.js';
import { bundledModule, compiledModule } from '../../env/processes/compiled-module.js';
import { importWithin, LOAD_MS } from '../../env/processes/limited-import.js';
import { errorText, isError } from '../../env/text/error-text.js';

/** The id of the game of each loaded module, by absolute path. */
const loaded = new Map<string, string>();

/** Whether a text for a game is the path of a module, such as `./my-game.mjs`, rather than an id. */
export function isModulePath(text: string): boolean {
  return /[./\\]/.test(text);
}

function moduleError(code: NotationErrorCode, path: string, cause: unknown): NotationError {
  const reason = errorText(cause);
  return new NotationError(code, `${path}: ${reason}`, { cause });
}

/** The exports of a game module. */
interface GameModule {
  readonly default: GameDefinition;
}

async function importModule(path: string, limitMs: number): Promise<GameModule> {
  try {
    // Node would wait for a pipe and never finish reading a device.
    closeSync(openInputSync(path, 'gameModule'));
    return (await importWithin(pathToFileURL(path).href, limitMs)) as GameModule;
  } catch (error) {
    throw moduleError('game-module', `cannot load the game module ${path}`, error);
  }
}

/** Registers a definition; a getter of it may throw anything. */
function register(definition: GameDefinition, path: string): void {
  try {
    registerGame(definition);
    loaded.set(path, definition.id);
  } catch (error) {
    const code = isError(error) && error instanceof NotationError ? error.code : 'game-invalid';
    throw moduleError(code, `the default export of ${path}`, error);
  }
}

/**
 * Loads an ES module whose default export is a `GameDefinition`, and registers the game. Loading it again has no
 * effect.
 *
 * @param path absolute, or relative to the working directory.
 * @param limitMs milliseconds in which it must load.
 * @returns the id of the game.
 * @throws NotationError `game-module` if the file is missing, fails or does not load in time, `game-invalid` if it
 *   exports no valid definition, `game-exists` if another game has its id.
 */
export async function loadGameModule(path: string, limitMs = LOAD_MS): Promise<string> {
  const place = resolve(path);
  const known = loaded.get(place);
  if (known !== undefined) return known;
  // Not returned by an async function: that would call a function `then` of the definition.
  const { default: definition } = await importModule(place, limitMs);
  register(definition, place);
  return definition.id;
}

/** Absolute paths of the loaded modules, in order, so that other processes can load them too. */
export function loadedGameModules(): readonly string[] {
  return [...loaded.keys()];
}

/** The id of the game of a loaded module; undefined for other paths. */
export function gameOfModule(path: string): string | undefined {
  return loaded.get(resolve(path));
}

/** Absolute path of the module that a game came from; undefined for games of the package. */
export function moduleOfGame(id: string): string | undefined {
  return loadedGameModules().find((path) => loaded.get(path) === id);
}

/**
 * Path of the main module of a process or thread that loads these modules, as `bundledModule` finds it. The loaded
 * modules share their classes with the package's modules, not with a bundle.
 */
export function mainModule(url: string, name: string): string {
  return loaded.size === 0 ? bundledModule(url, name) : compiledModule(url, name);
}
