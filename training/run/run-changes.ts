import { settingsByPath } from '../config/settings-by-path.js';
import type { RunConfig } from '../config/run-config.js';

/**
 * Settings and groups of settings that a resumed run may change, since they affect neither shards nor checkpoints: the
 * length of the run, its processes, evaluations, retention, memory, and how often the learner is saved.
 */
export const FREE_SETTINGS = [
  'generations',
  'selfPlay.processes',
  'learner.saveEvery',
  'replay.memoryMiB',
  'evaluation',
  'retention',
] as const;

/** A setting that differs. */
export interface SettingChange {
  readonly path: string;
  /** Undefined if the chosen variant has no such setting. */
  readonly before: unknown;
  readonly after: unknown;
}

/** The settings that differ, by path. */
export function settingChanges(before: RunConfig, after: RunConfig): readonly SettingChange[] {
  const old = settingsByPath({ ...before, $schema: undefined });
  const now = settingsByPath({ ...after, $schema: undefined });
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/** Whether a resumed run may change the setting. */
export function isFree({ path }: SettingChange): boolean {
  return FREE_SETTINGS.some((free) => path === free || path.startsWith(`${free}.`));
}

/** Describes the change: `seed is 7, not 8`. */
export function describeChange({ path, before, after }: SettingChange): string {
  const text = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));
  return `${path} is ${text(before)}, not ${text(after)}`;
}
