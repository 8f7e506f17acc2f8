import { Option } from '@commander-js/extra-typings';
import type { NamedParts } from '../../training/config/named-parts.js';
import { readRunConfig, readRunConfigParts } from '../../training/config/config-file.js';
import { configWithSettings } from '../../training/config/config-settings.js';
import { namedParts } from '../../training/config/named-parts.js';
import { RunConfig } from '../../training/config/run-config.js';
import { SettingError } from '../../training/training-error.js';
import { packageFile } from '../../training/inference/package-file.js';
import { wrapText } from '../text/wrapped-text.js';
import { collect } from './repeated-option.js';
import { inputPath } from './shipped-file.js';

/** Purpose of each preset: the configurations of `configs/NAME.json`, which come with the program. */
export const PRESET_USES = {
  tiny: 'every stage on Connect Four, in half a minute',
  quickstart: 'the run of npm start: Gess in a few minutes, from a warm start',
  small: 'Gess (eureka), 6 blocks of 32 channels, from a warm start: three to four hours on two cores',
  'gess-24h':
    'Gess (eureka), 6 blocks of 32 channels, from games of the pattern network: one to three days on two cores',
  standard:
    'Gess (eureka), 6 blocks of 64 channels, from a warm start: days on two cores, for larger machines',
  quess: 'Quess from nothing, half an hour on two cores',
  'connect-four': 'Connect Four from nothing, half an hour on two cores',
} as const;

/** Name of a preset. */
export type Preset = keyof typeof PRESET_USES;

/** Names of the presets. */
export const PRESETS = Object.keys(PRESET_USES) as readonly Preset[];

/** The options that select a configuration: `--config` or `--preset`, `--game` and `--set`. */
export interface ConfigOptions {
  readonly config?: string;
  readonly preset?: Preset;
  readonly game?: string | undefined;
  readonly set?: readonly string[];
}

/** The assignments of `--game` and `--set`; another game has its own default rules. */
function settingsOf({ game, set = [] }: ConfigOptions): readonly string[] {
  return game === undefined ? set : [`game=${JSON.stringify({ id: game })}`, ...set];
}

/** @throws SettingError `setting-invalid` if `--set` names another game than `--game`. */
function expectNamedGame({ game }: ConfigOptions, config: RunConfig): void {
  if (game === undefined || config.game.id === game) return;
  const expected = `expected the game of --game, ${game}, in every --set; got ${config.game.id}`;
  throw new SettingError('setting-invalid', expected);
}

/** Absolute path of a preset's file. */
export function presetPath(name: Preset): string {
  return packageFile('configs', `${name}.json`);
}

/** Columns of the list of presets in a help. */
const HELP_COLUMNS = 80;

/** Lists the presets for the help of commands. */
export function presetHelp(): string {
  const width = Math.max(...PRESETS.map((name) => name.length));
  const indent = ' '.repeat(width + 4);
  const lines = PRESETS.map((name) => {
    const use = wrapText(PRESET_USES[name], HELP_COLUMNS - indent.length).join(`\n${indent}`);
    return `  ${name.padEnd(width)}  ${use}`;
  });
  return `\nPresets:\n${lines.join('\n')}`;
}

/** `--preset`: a configuration that comes with the program. */
export const presetOption = new Option(
  '--preset <name>',
  'a configuration that comes with the program',
).choices(PRESETS);

/** `--set`: one setting of the configuration; may be repeated. */
export const setOption = new Option(
  '--set <path=value>',
  'override a setting, such as learner.batchSize=128; may be repeated',
).argParser(collect);

/**
 * The configuration that the options select; undefined without `--config` and `--preset`.
 *
 * @throws TrainingError, SettingError as `readRunConfig`.
 */
export async function configFrom(options: ConfigOptions): Promise<RunConfig | undefined> {
  const path = configPath(options);
  if (path === undefined) return undefined;
  const config = await readRunConfig(path, settingsOf(options));
  expectNamedGame(options, config);
  return config;
}

function configPath({ config, preset }: ConfigOptions): string | undefined {
  if (config !== undefined) return inputPath(config);
  return preset === undefined ? undefined : presetPath(preset);
}

/**
 * The configuration that the options select, else the defaults with the settings of `--set`.
 *
 * @throws TrainingError, SettingError as `readRunConfig`.
 */
export async function configOrDefaults(options: ConfigOptions): Promise<RunConfig> {
  const found = await configFrom(options);
  if (found !== undefined) return found;
  const config = configWithSettings({}, settingsOf(options)) ?? RunConfig.parse({});
  expectNamedGame(options, config);
  return config;
}

/**
 * The same as `configOrDefaults`, with those settings of the game and the network that the file and the options specify
 * explicitly.
 *
 * @throws TrainingError, SettingError as `readRunConfig`.
 */
export async function configAndNamedParts(
  options: ConfigOptions,
): Promise<{ readonly config: RunConfig; readonly named: NamedParts }> {
  const path = configPath(options);
  if (path !== undefined) {
    const parts = await readRunConfigParts(path, settingsOf(options));
    expectNamedGame(options, parts.config);
    return parts;
  }
  const config = await configOrDefaults(options);
  return { config, named: namedParts({}, settingsOf(options), config) };
}
