import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { NamedParts } from '../checkpoints/checkpoint-fit.js';
import { RunConfig } from './run-config.js';
import { SettingError } from '../training-error.js';

type Content = Record<string, unknown>;

/** What is read of a JSON Schema. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
}

function isObject(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function addPaths(node: SchemaNode, path: string, found: Set<string>): void {
  if (path !== '') found.add(path);
  for (const form of [...(node.oneOf ?? []), ...(node.anyOf ?? [])]) addPaths(form, path, found);
  for (const [key, part] of Object.entries(node.properties ?? {})) {
    addPaths(part, path === '' ? key : `${path}.${key}`, found);
  }
}

/** Paths of all settings of a run and of the groups that they are in, `learner` and `learner.batchSize`. */
export function settingPaths(): ReadonlySet<string> {
  const found = new Set<string>();
  addPaths(z.toJSONSchema(RunConfig, { io: 'input' }) as SchemaNode, '', found);
  found.delete('$schema');
  return found;
}

/** A known path that `path` may have been meant for, as the end of a message. */
function suggestion(path: string, known: readonly string[]): string {
  // A setting without its group is as likely as one with a wrong letter.
  const name = path.split('.').at(-1)!;
  const sameName = known.filter((other) => other.split('.').at(-1) === name);
  const [only] = sameName;
  if (only !== undefined && sameName.length === 1) return `; did you mean ${only}?`;
  const nearest = closest(path, [...known]);
  const isNear = distance(path, nearest) <= Math.max(2, path.length / 3);
  return isNear ? `; did you mean ${nearest}?` : '; gess config show prints all settings';
}

/** `a.b=value`, read. */
interface Assignment {
  readonly path: string;
  readonly value: unknown;
  /** As it was given: not every number that is read has a form in JSON. */
  readonly text: string;
}

/** JSON where it is some, else the text itself. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function parseAssignment(text: string, known: ReadonlySet<string>): Assignment {
  const [, path, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (path === undefined || value === undefined || path === '') {
    throw new SettingError(
      'setting-syntax',
      `expected SETTING=VALUE, such as learner.batchSize=128; got '${text}'`,
    );
  }
  if (!known.has(path)) {
    throw new SettingError(
      'setting-unknown',
      `no setting has the path ${path}${suggestion(path, [...known])}`,
    );
  }
  return { path, value: parseValue(value), text };
}

function assign(config: Content, { path, value }: Pick<Assignment, 'path' | 'value'>): void {
  const groups = path.split('.');
  const name = groups.pop()!;
  let place = config;
  for (const [depth, group] of groups.entries()) {
    const inside = place[group] ?? {};
    if (!isObject(inside)) {
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

/** Those of the settings of a part of the configuration that the JSON names. */
function namedOf<Part extends object>(content: Content, name: string, part: Part): Partial<Part> {
  const named = content[name];
  const names = new Set(isObject(named) ? Object.keys(named) : []);
  return Object.fromEntries(Object.entries(part).filter(([key]) => names.has(key))) as Partial<Part>;
}

/**
 * Which settings of the game and the network JSON and assignments name; the values are those of `config`, which was made
 * of them by `configWithSettings`.
 */
export function namedParts(value: unknown, assignments: readonly string[], config: RunConfig): NamedParts {
  const known = settingPaths();
  const content = isObject(value) ? structuredClone(value) : {};
  for (const text of assignments) assign(content, parseAssignment(text, known));
  return {
    game: namedOf(content, 'game', config.game),
    network: namedOf(content, 'network', config.network),
  };
}

function invalidSettings(settings: readonly Assignment[], message: string, place: string): SettingError {
  const texts = settings.map(({ text }) => text).join(' ');
  return new SettingError('setting-invalid', `${texts}: ${message}, at ${place}`);
}

function covers(outer: string, inner: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}.`);
}

/**
 * Changes settings of a configuration, and completes it.
 *
 * @param value JSON, as a file has it; not changed.
 * @param assignments `a.b=value`, in order: the value is JSON, else taken as a text.
 * @param schema left out: also what runs of earlier versions have is valid.
 * @returns the configuration, or null where it is not valid and no assignment is to blame.
 * @throws SettingError `setting-syntax`, `setting-unknown` (with the nearest one that there is), `setting-invalid`.
 */
export function configWithSettings(
  value: unknown,
  assignments: readonly string[],
  schema: typeof RunConfig = RunConfig,
): RunConfig | null {
  const known = settingPaths();
  const parsed = assignments.map((text) => parseAssignment(text, known));
  if (!isObject(value)) return null;
  const changed = structuredClone(value);
  for (const assignment of parsed) assign(changed, assignment);
  const result = schema.safeParse(changed);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const place = issue.path.join('.');
    const cause = parsed.findLast(({ path }) => covers(path, place) || covers(place, path));
    if (cause === undefined) continue;
    throw invalidSettings([cause], issue.message, place);
  }
  // Settings that do not fit each other or the others: one that was not assigned may be named.
  const [issue] = result.error.issues;
  if (issue !== undefined && parsed.length > 0 && schema.safeParse(value).success) {
    throw invalidSettings(parsed, issue.message, issue.path.join('.'));
  }
  return null;
}

/** A copy of a configuration with other values at the paths, which are taken as they are. */
export function withSettings(
  config: object,
  settings: readonly (readonly [path: string, value: unknown])[],
): object {
  const changed = structuredClone(config) as Content;
  for (const [path, value] of settings) assign(changed, { path, value });
  return changed;
}

/** The settings by their paths; a list is one value. */
export function settingsByPath(value: unknown, path = ''): ReadonlyMap<string, unknown> {
  if (!isObject(value)) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([key, part]) => [
      ...settingsByPath(part, path === '' ? key : `${path}.${key}`),
    ]),
  );
}
