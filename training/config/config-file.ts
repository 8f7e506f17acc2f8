import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describeProblems } from '../../env/problems-text.js';
import type { NamedParts } from '../checkpoints/checkpoint-fit.js';
import { configWithSettings, namedParts } from './config-settings.js';
import { AskedRunConfig, RunConfig } from './run-config.js';
import { TrainingError } from '../training-error.js';

/** The JSON of a file, as it is. */
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
 * The run that a JSON file describes, defaults filled in.
 *
 * @param settings `a.b=value`, in place of what the file says.
 * @throws TrainingError `config-missing`, `config-syntax`, `config-invalid`, each naming the file; SettingError for
 *   the settings.
 */
export function readRunConfig(path: string, settings: readonly string[] = []): RunConfig {
  return readRunConfigParts(path, settings).config;
}

/** The same, and the settings of the game and the network that the file and `settings` name. */
export function readRunConfigParts(
  path: string,
  settings: readonly string[],
): { readonly config: RunConfig; readonly named: NamedParts } {
  const value = readJson(path);
  const config =
    configWithSettings(value, settings, AskedRunConfig) ?? parseRunConfig(value, path, AskedRunConfig);
  return { config, named: namedParts(value, settings, config) };
}

/**
 * Checks and completes a configuration.
 *
 * @param source where it came from, for the message.
 * @param schema left out: also what runs of earlier versions have is valid.
 * @throws TrainingError `config-invalid` with every problem and its place.
 */
export function parseRunConfig(
  value: unknown,
  source: string,
  schema: typeof RunConfig = RunConfig,
): RunConfig {
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new TrainingError('config-invalid', `${source}: ${describeProblems(result.error)}`, {
      cause: result.error,
    });
  }
  return result.data;
}

/**
 * SHA-256 of a resolved configuration, of this program or an earlier one: what a run and its checkpoints are known by.
 */
export function digestOfConfig(config: object): string {
  // Where the schema lies says nothing of the run.
  const relevant = { ...config, $schema: undefined };
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(relevant)))
    .digest('hex');
}

/** The same value with the keys of every object in order, so that the text does not depend on the file's. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sortKeys(part)]),
  );
}
