import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describeProblems } from '../../env/problems-text.js';
import { TrainingError } from '../training-error.js';
import { configWithSettings } from './config-settings.js';
import { type NamedParts, namedParts } from './named-parts.js';
import { RunConfig } from './run-config.js';

/** The content of a JSON file, unchecked. */
function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new TrainingError('config-missing', `expected a run's configuration (JSON) at ${path}`, {
      cause: error,
    });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new TrainingError('config-syntax', `expected JSON in ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Reads the configuration of a run from a JSON file and fills in the defaults.
 *
 * @param settings assignments `a.b=value`, which override the file.
 * @throws TrainingError `config-missing`, `config-syntax`, `config-invalid`, each naming the file.
 * @throws SettingError for the assignments.
 */
export function readRunConfig(path: string, settings: readonly string[] = []): RunConfig {
  return readRunConfigParts(path, settings).config;
}

/** As `readRunConfig`, with the settings of the game and the network that the file and `settings` give explicitly. */
export function readRunConfigParts(
  path: string,
  settings: readonly string[],
): { readonly config: RunConfig; readonly named: NamedParts } {
  const value = readJson(path);
  const config = configWithSettings(value, settings) ?? parseRunConfig(value, path);
  return { config, named: namedParts(value, settings, config) };
}

/**
 * Checks a configuration and fills in the defaults.
 *
 * @param source origin of the value, for the message.
 * @throws TrainingError `config-invalid` with every problem and its place.
 */
export function parseRunConfig(value: unknown, source: string): RunConfig {
  const result = RunConfig.safeParse(value);
  if (!result.success) {
    throw new TrainingError('config-invalid', `${source}: ${describeProblems(result.error)}`, {
      cause: result.error,
    });
  }
  return result.data;
}

/** SHA-256 of a resolved configuration, which identifies it in its run and its checkpoints. */
export function digestOfConfig(config: object): string {
  // The path of the schema has no effect on the run.
  const relevant = { ...config, $schema: undefined };
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(relevant)))
    .digest('hex');
}

/** A copy with sorted keys in every object, so that the order in the file does not matter. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sortKeys(part)]),
  );
}
