import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { RunConfig } from '../../training/config.js';

interface SchemaNode {
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}

/** Every setting by its path, with its default as JSON and its description; of a choice the settings of all forms. */
function settingsOf(node: SchemaNode, path: string): Map<string, { value: unknown; description: string }> {
  const found = new Map<string, { value: unknown; description: string }>();
  // A choice among plain values is one setting.
  const forms = (node.anyOf ?? node.oneOf ?? []).filter(
    (form) => form.properties ?? form.anyOf ?? form.oneOf,
  );
  if (node.properties === undefined && forms.length === 0) {
    return found.set(path, { value: node.default, description: node.description ?? '' });
  }
  for (const form of forms) {
    for (const [name, setting] of settingsOf(form, path)) if (!found.has(name)) found.set(name, setting);
  }
  for (const [key, part] of Object.entries(node.properties ?? {})) {
    for (const [name, setting] of settingsOf(part, path === '' ? key : `${path}.${key}`)) {
      found.set(name, setting);
    }
  }
  return found;
}

test('docs/training.md has every setting with its default and its meaning, and no others', () => {
  const schema = z.toJSONSchema(RunConfig, { io: 'input' }) as SchemaNode;
  const settings = settingsOf(schema, '');
  settings.delete('$schema');
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'training.md'), 'utf8');
  const [, table] = /^## Settings\n([^]*?)^## /m.exec(text)!;
  const rows = Array.from(
    table!.matchAll(/^\| `([\w.]+)` +\| (.*?) +\| (.*?) +\|$/gm),
    ([, name, value, meaning]) => ({
      name: name!,
      value: value!,
      meaning: meaning!,
    }),
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...settings.keys()].sort());
  for (const { name, value, meaning } of rows) {
    const setting = settings.get(name)!;
    expect([name, value]).toEqual([name, JSON.stringify(setting.value)]);
    // The table says more in places: which form of a choice has the setting, and examples.
    expect(meaning).toContain(setting.description);
  }
});
