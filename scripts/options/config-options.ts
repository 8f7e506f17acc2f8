import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import type { NamedParts } from '../../training/config/named-parts.js';
import { readRunConfig, readRunConfigParts } from '../../training/config/config-file.js';
import { configWithSettings } from '../../training/config/config-settings.js';
import { namedParts } from '../../training/config/named-parts.js';
import { RunConfig } from '../../training/config/run-config.js';

/** What the configurations that come with the program, `configs/NAME.json`, are for. */
export const PRESET_USES = {
  tiny: 'Connect Four in half a minute, to see every stage',
  quickstart: 'what npm start runs: Gess in some minutes, from a warm start',
  small: 'Gess (eureka), 6 blocks of 32 channels, from a warm start: three to four hours on two cores',
  standard:
    'Gess (eureka), 6 blocks of 64 channels, from a warm start: days on two cores, for larger machines',
  quess: 'Quess from nothing, half an hour on two cores',
  'connect-four': 'Connect Four from nothing, half an hour on two cores',
} as const;

/** Name of a configuration that comes with the program. */
export type Preset = keyof typeof PRESET_USES;

/** The names of these configurations. */
export const PRESETS = Object.keys(PRESET_USES) as readonly Preset[];

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

/** The presets with a line each, for the help of commands. */
function describePresets(): string {
  const width = Math.max(...PRESETS.map((name) => name.length));
  return PRESETS.map((name) => `  ${name.padEnd(width)}  ${PRESET_USES[name]}`).join('\n');
}

/** Adds examples of a command to its help, and where to read on. */
export function addExamples(command: Command, lines: readonly string[], page: string): Command {
  const examples = lines.map((line) => `  ${line}`).join('\n');
  return command.addHelpText('after', `\nExamples:\n${examples}\n\n${page} says more.`);
}

/**
 * Adds `--config`, `--preset` and `--set`, and the presets to the command's help.
 *
 * @param use what the configuration is for, for people.
 */
export function addConfigOptions(command: Command, use: string): Command {
  return command
    .addHelpText('after', `\nPresets:\n${describePresets()}`)
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
  return configFrom(options) ?? configWithSettings({}, options.set ?? []) ?? RunConfig.parse({});
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
