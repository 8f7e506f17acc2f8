import { shorten } from '../../env/text/quoted-text.js';
import { SettingError } from '../training-error.js';
import { isJsonObject, type JsonObject } from '../../env/text/json-object.js';
import { RunConfig } from './run-config.js';
import { assign, type Assignment, parseAssignments } from './setting-assignment.js';
import { EXPLAINED_SETTINGS } from './setting-paths.js';

function invalidSettings(settings: readonly Assignment[], message: string, place: string): SettingError {
  const texts = shorten(settings.map(({ text }) => text).join(' '));
  return new SettingError('setting-invalid', `${texts}: ${message}, at ${place}`);
}

function covers(outer: string, inner: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}.`);
}

/**
 * Applies assignments to a configuration and fills in the defaults.
 *
 * @param value JSON as read from a file; not changed.
 * @param assignments `a.b=value`; later ones win. A value that is not JSON is a text.
 * @returns the configuration; null if it is invalid for a reason other than an assignment.
 * @throws SettingError `setting-syntax`, `setting-unknown` (with the nearest known path), `setting-invalid`.
 */
export function configWithSettings(value: unknown, assignments: readonly string[]): RunConfig | null {
  const parsed = parseAssignments(assignments);
  if (!isJsonObject(value)) return null;
  const changed = structuredClone(value);
  for (const assignment of parsed) assign(changed, assignment);
  const result = RunConfig.safeParse(changed, EXPLAINED_SETTINGS);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const place = issue.path.join('.');
    const cause = parsed.findLast(({ path }) => covers(path, place) || covers(place, path));
    if (cause === undefined) continue;
    throw invalidSettings([cause], issue.message, place);
  }
  // Settings that conflict with each other: the problem may be reported at a setting that was not assigned.
  const [issue] = result.error.issues;
  if (issue !== undefined && parsed.length > 0 && RunConfig.safeParse(value).success) {
    throw invalidSettings(parsed, issue.message, issue.path.join('.'));
  }
  return null;
}

/** A copy of a configuration with other values at the given paths; the values are not checked. */
export function withSettings(
  config: object,
  settings: readonly (readonly [path: string, value: unknown])[],
): object {
  const changed = structuredClone(config) as JsonObject;
  for (const [path, value] of settings) assign(changed, { path, value });
  return changed;
}
