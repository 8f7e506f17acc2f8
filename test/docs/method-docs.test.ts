import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Preset, presetPath, PRESETS } from '../../scripts/options/config-options.js';
import { readRunConfig } from '../../training/config/config-file.js';
import { settingPaths } from '../../training/config/setting-paths.js';
import { settingsByPath } from '../../training/config/settings-by-path.js';
import { RunConfig } from '../../training/config/run-config.js';

const text = readFileSync(
  join(import.meta.dirname, '..', '..', 'docs', 'explanation', 'learning-methods.md'),
  'utf8',
);
const usual = settingsByPath(RunConfig.parse({}));
const presets = new Map(
  await Promise.all(
    PRESETS.map(async (name) => [name, settingsByPath(await readRunConfig(presetPath(name)))] as const),
  ),
);

/** An item of the list of methods. */
interface Method {
  readonly method: string;
  readonly status: string;
  /** Paths of its settings; none for a method without a setting. */
  readonly settings: readonly string[];
}

/** The texts in backticks. */
function names(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name!);
}

/** The setting paths in a cell; a bare name belongs to the group of the path before it. Folders are ignored. */
function settingsIn(cell: string): string[] {
  const found: string[] = [];
  for (const name of names(cell)) {
    if (name.endsWith('/')) continue;
    const group = found.at(-1)?.replace(/\.[^.]+$/, '');
    found.push(name.includes('.') || group === undefined ? name : `${group}.${name}`);
  }
  return found;
}

/** The list of methods; a method that no setting selects has a group of settings, such as `network`. */
function methods(): Method[] {
  const [, part] = /^## Methods\n([^]*?)^### /m.exec(text)!;
  const items = part!.split(/^- /m).slice(1);
  return items.map((item) => {
    const line = item.split('\n\n', 1)[0]!.trim().replace(/\s+/g, ' ');
    const [, method, status, where] = /^(.*)\. Status: (.*)\. Where: (.*)\.$/.exec(line)!;
    return {
      method: method!,
      status: status!,
      settings: settingsIn(where!).filter((path) => path !== 'network'),
    };
  });
}

function namedPresets(status: string): Preset[] {
  return PRESETS.filter((name) => names(status).includes(name));
}

/** The presets that change one of the settings from its default. */
function changingPresets(settings: readonly string[]): Preset[] {
  return PRESETS.filter((name) =>
    settings.some((path) => JSON.stringify(presets.get(name)!.get(path)) !== JSON.stringify(usual.get(path))),
  );
}

/** Whether a value stands for a method that is not used. */
function isOff(value: unknown): boolean {
  return value === undefined || value === false || value === 0 || value === 'none';
}

describe('the list of methods in docs/explanation/learning-methods.md', () => {
  const rows = methods();

  test('names existing settings', () => {
    expect(rows.length).toBeGreaterThan(30);
    const paths = rows.flatMap(({ settings }) => settings);
    const known = settingPaths();
    expect(paths.filter((path) => !known.has(path))).toEqual([]);
  });

  test.each(rows)('$status: $method', ({ status, settings }) => {
    expect(status).toMatch(/^(used|on by default|off by default)(; .+)?$/);
    const named = namedPresets(status);
    if (!status.startsWith('used') || named.length > 0) {
      expect(settings).not.toEqual([]);
      expect(named).toEqual(changingPresets(settings));
    }
    const everywhere = [usual, ...presets.values()];
    if (status.startsWith('used')) {
      for (const path of settings) expect(everywhere.some((config) => isOff(config.get(path)))).toBe(false);
    }
    if (status.startsWith('off by default'))
      expect(named.length === 0 || status.includes('; used by')).toBe(true);
    if (status.includes('not measured')) expect(named).toEqual([]);
  });
});
