import { dirname } from 'node:path';
import * as z from 'zod';
import { readInputIfThere } from '../../data/files/input-file.js';
import { type JsonForm, parseForm } from '../../data/files/json-file.js';
import { sha256 } from '../../data/files/sealed-json.js';
import { validate } from '../../env/problems-text.js';
import { TrainingError } from '../training-error.js';
import { configWithSettings } from './config-settings.js';
import { withGameModule } from '../games/configured-game-module.js';
import { type NamedParts, namedParts } from './named-parts.js';
import { RunConfig } from './run-config.js';
import { isJsonObject, type JsonObject } from '../../env/text/json-object.js';
import { assign, parseAssignments } from './setting-assignment.js';
import { EXPLAINED_SETTINGS } from './setting-paths.js';

/** Any JSON: the schema is applied with the settings of the command line. */
const CONFIG_FORM: JsonForm<unknown> = {
  schema: z.unknown(),
  name: "a run's configuration",
  seal: null,
  error: (message, cause) => new TrainingError('config-syntax', message, { cause }),
};

/**
 * The JSON of a configuration, unchecked.
 *
 * @param source origin of the text, for the message.
 * @throws TrainingError `config-syntax`.
 */
export function parseConfigJson(text: string, source: string): unknown {
  return parseForm(text, CONFIG_FORM, { path: source });
}

async function readConfigJson(path: string): Promise<unknown> {
  const content = await readInputIfThere(path, 'config');
  if (content !== null) return parseForm(content, CONFIG_FORM, { path });
  throw new TrainingError(
    'config-missing',
    `expected a run's configuration (JSON) at ${path}, found no file`,
  );
}

/**
 * Reads the configuration of a run from a JSON file, loads the module of its game and fills in the defaults.
 *
 * @param settings assignments `a.b=value`, which override the file.
 * @throws TrainingError `config-missing`, `config-syntax`, `config-invalid`, each naming the file.
 * @throws DataError `file-unreadable`, `file-too-large`.
 * @throws SettingError for the assignments.
 * @throws NotationError as `loadGameModule`.
 */
export async function readRunConfig(path: string, settings: readonly string[] = []): Promise<RunConfig> {
  return (await readRunConfigParts(path, settings)).config;
}

/** As `readRunConfig`, with the settings of the game and the network that the file and `settings` give explicitly. */
export async function readRunConfigParts(
  path: string,
  settings: readonly string[],
): Promise<{ readonly config: RunConfig; readonly named: NamedParts }> {
  const value = await withGameModule(await readConfigJson(path), dirname(path));
  await loadGameOfSettings(settings);
  const config = configWithSettings(value, settings) ?? parseRunConfig(value, path);
  return { config, named: namedParts(value, settings, config) };
}

/**
 * Loads the game module that assignments name, relative to the working directory.
 *
 * @throws SettingError for the assignments.
 * @throws NotationError as `loadGameModule`.
 */
export async function loadGameOfSettings(settings: readonly string[]): Promise<void> {
  const content: JsonObject = {};
  for (const assignment of parseAssignments(settings)) {
    if (/^game(?:\.module)?$/.test(assignment.path)) assign(content, assignment);
  }
  await withGameModule(content, '.');
}

/**
 * Checks a configuration and fills in the defaults.
 *
 * @param source origin of the value, for the message.
 * @throws TrainingError `config-invalid` with every problem and its place.
 */
export function parseRunConfig(value: unknown, source: string): RunConfig {
  const refuse = (problems: string, cause: Error): Error =>
    new TrainingError('config-invalid', `${source}: ${problems}`, { cause });
  return validate(RunConfig, value, refuse, EXPLAINED_SETTINGS);
}

/**
 * SHA-256 of a whole configuration, which identifies it in its run and its checkpoints.
 *
 * @param config resolved, by this version or by the one that wrote it to a file.
 */
export function digestOfConfig(config: JsonObject): string {
  const game = isJsonObject(config['game']) ? { ...config['game'], module: undefined } : undefined;
  // The paths of the schema and of the game's module have no effect on the run.
  const relevant = { ...config, $schema: undefined, game };
  return sha256(JSON.stringify(sortKeys(relevant)));
}

/** A copy with sorted keys in every object, so that the order in the file does not matter. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sortKeys(part)]),
  );
}
