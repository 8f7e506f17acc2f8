import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import type { NamedParts } from '../training/checkpoint-fit.js';
import { readRunConfig, readRunConfigParts } from '../training/config-file.js';
import { configWithSettings, namedParts } from '../training/config-settings.js';
import { AskedRunConfig, RunConfig } from '../training/config.js';

/** The configurations that come with the program: `configs/NAME.json`. */
export const PRESETS = ['tiny', 'quickstart', 'small', 'standard', 'quess', 'connect-four'] as const;

/** Name of a configuration that comes with the program. */
export type Preset = (typeof PRESETS)[number];

/** Which configuration is meant: the flags of `addConfigOptions`. */
export interface ConfigOptions {
  readonly config?: string;
  readonly preset?: Preset;
  readonly set?: readonly string[];
}

/** The file of a preset, wherever the program was started. */
export function presetPath(name: Preset): string {
  const root = dirname(createRequire(import.meta.url).resolve('gess-zero/package.json'));
  return join(root, 'configs', `${name}.json`);
}

/**
 * Adds `--config`, `--preset` and `--set`.
 *
 * @param use what the configuration is for, for people.
 */
export function addConfigOptions(command: Command, use: string): Command {
  return command
    .addOption(new Option('--config <file>', `${use} (JSON)`).conflicts('preset'))
    .addOption(new Option('--preset <name>', 'a configuration that comes with the program').choices(PRESETS))
    .addOption(
      new Option(
        '--set <path=value>',
        'a setting of it, such as learner.batchSize=128; may be repeated',
      ).argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]),
    );
}

/**
 * The configuration that the flags name; undefined where they name none.
 *
 * @throws what `readRunConfig` throws.
 */
export function configFrom(options: ConfigOptions): RunConfig | undefined {
  const path = configPath(options);
  return path === undefined ? undefined : readRunConfig(path, options.set);
}

function configPath({ config, preset }: ConfigOptions): string | undefined {
  return config ?? (preset === undefined ? undefined : presetPath(preset));
}

/** The same, and the defaults where the flags name none. Throws what `configFrom` throws. */
export function configOrDefaults(options: ConfigOptions): RunConfig {
  return (
    configFrom(options) ?? configWithSettings({}, options.set ?? [], AskedRunConfig) ?? RunConfig.parse({})
  );
}

/** The same, and the settings of the game and the network that the flags name. Throws what `configFrom` throws. */
export function configAndNamedParts(options: ConfigOptions): {
  readonly config: RunConfig;
  readonly named: NamedParts;
} {
  const path = configPath(options);
  if (path !== undefined) return readRunConfigParts(path, options.set ?? []);
  const config = configOrDefaults(options);
  return { config, named: namedParts({}, options.set ?? [], config) };
}
