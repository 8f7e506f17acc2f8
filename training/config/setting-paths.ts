import * as z from 'zod';
import { explained } from '../../env/problems-text.js';
import { suggestName } from '../../env/text/nearest-name.js';
import { RunConfig } from './run-config.js';

/** A node of a JSON Schema, with the keywords that lead to settings. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
}

function addPaths(node: SchemaNode, path: string, found: Set<string>): void {
  if (path !== '') found.add(path);
  for (const form of [...(node.oneOf ?? []), ...(node.anyOf ?? [])]) addPaths(form, path, found);
  for (const [key, part] of Object.entries(node.properties ?? {})) {
    addPaths(part, path === '' ? key : `${path}.${key}`, found);
  }
}

/** Paths of all settings of a run and of their groups, such as `learner.batchSize` and `learner`. */
export function settingPaths(): ReadonlySet<string> {
  const found = new Set<string>();
  addPaths(z.toJSONSchema(RunConfig, { io: 'input' }) as SchemaNode, '', found);
  found.delete('$schema');
  return found;
}

/** The end of a message about an unknown path: the nearest known path, or the command that lists all. */
export function suggestPath(path: string, known: readonly string[]): string {
  // A path without its group is as likely as a misspelled one.
  const name = path.split('.').at(-1)!;
  const sameName = known.filter((other) => other.split('.').at(-1) === name);
  const [only] = sameName;
  if (only !== undefined && sameName.length === 1) return `; did you mean '${only}'?`;
  return suggestName(path, known, '; gess config show prints all settings');
}

/** Options of `RunConfig.safeParse`: messages name the nearest setting, as those about `--set` do. */
export const EXPLAINED_SETTINGS = explained((path, key) => {
  const known = settingPaths();
  const setting = [...path, key].join('.');
  // Known and refused: the group has it with another value of `root` or `kind`.
  return known.has(setting)
    ? ', which applies to another choice of this group'
    : suggestPath(setting, [...known]);
});
