import { errorText } from '../../env/text/error-text.js';
import { parseJsonText } from '../../env/text/json-text.js';
import { SettingError } from '../training-error.js';
import { isJsonObject, type JsonObject } from '../../env/text/json-object.js';
import { settingPaths, suggestPath } from './setting-paths.js';
import { quote, shorten } from '../../env/text/quoted-text.js';

/** `a.b=value`, parsed. */
export interface Assignment {
  readonly path: string;
  readonly value: unknown;
  /** The original text: some values that parse, such as `1e999`, have no JSON form. */
  readonly text: string;
}

/**
 * The value of a text as JSON, or the text itself if it is not JSON.
 *
 * @throws SettingError `setting-invalid` for a text that begins as a group or a list does and is not JSON.
 */
function parseValue(path: string, text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!/^\s*[[{]/.test(text)) return text;
    throw new SettingError('setting-invalid', `${path}: expected JSON: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function parseAssignment(text: string, known: ReadonlySet<string>): Assignment {
  const [, path, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (path === undefined || value === undefined || path === '') {
    throw new SettingError(
      'setting-syntax',
      `expected SETTING=VALUE, such as learner.batchSize=128; got ${quote(text)}`,
    );
  }
  if (!known.has(path)) {
    throw new SettingError(
      'setting-unknown',
      `no setting has the path ${shorten(path)}${suggestPath(path, [...known])}`,
    );
  }
  return { path, value: parseValue(path, value), text };
}

/**
 * Parses assignments `a.b=value` to settings of a run.
 *
 * @throws SettingError `setting-syntax`, `setting-unknown`, which names the nearest known path, `setting-invalid`.
 */
export function parseAssignments(texts: readonly string[]): readonly Assignment[] {
  const known = settingPaths();
  return texts.map((text) => parseAssignment(text, known));
}

/**
 * Sets the value at a path of `config`, in place; missing groups are added.
 *
 * @throws SettingError `setting-invalid` if a group on the path is not an object.
 */
export function assign(config: JsonObject, { path, value }: Pick<Assignment, 'path' | 'value'>): void {
  const groups = path.split('.');
  const name = groups.pop()!;
  let place = config;
  for (const [depth, group] of groups.entries()) {
    const inside = place[group] ?? {};
    if (!isJsonObject(inside)) {
      const outer = groups.slice(0, depth + 1).join('.');
      throw new SettingError(
        'setting-invalid',
        `${path}: expected an object at ${outer}, got ${typeof inside === 'number' ? inside : JSON.stringify(inside)}`,
      );
    }
    place[group] = inside;
    place = inside;
  }
  place[name] = value;
}
