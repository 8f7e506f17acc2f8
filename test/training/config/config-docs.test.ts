import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { RunConfig } from '../../../training/config/run-config.js';

interface SchemaNode {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly multipleOf?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}

/** Every setting by its path: its schema, with a node for each variant of a choice that has it. */
function settingsOf(
  node: SchemaNode,
  path = '',
  found = new Map<string, SchemaNode[]>(),
): Map<string, SchemaNode[]> {
  // A choice among plain values is a single setting.
  const forms = (node.anyOf ?? node.oneOf ?? []).filter(
    (form) => form.properties ?? form.anyOf ?? form.oneOf,
  );
  if (node.properties === undefined && forms.length === 0) {
    return found.set(path, [...(found.get(path) ?? []), node]);
  }
  for (const form of forms) settingsOf(form, path, found);
  for (const [key, part] of Object.entries(node.properties ?? {})) {
    settingsOf(part, path === '' ? key : `${path}.${key}`, found);
  }
  return found;
}

/** The values that a node lists; none for a range. */
function listedValues({ anyOf, const: only, enum: values, type }: SchemaNode): readonly unknown[] {
  if (anyOf !== undefined) return anyOf.flatMap(listedValues);
  if (only !== undefined) return [only];
  return values ?? (type === 'boolean' ? [true, false] : []);
}

function describeNumbers({ type, minimum, exclusiveMinimum, maximum, multipleOf }: SchemaNode): string {
  const kind = multipleOf === 2 ? 'even, ' : type === 'integer' ? 'whole, ' : '';
  // Every integer has this limit; of seeds, it is the only one.
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (exclusiveMinimum !== undefined) {
    return `${kind}above ${exclusiveMinimum}${most === undefined ? '' : `, up to ${most}`}`;
  }
  expect(minimum).toBeDefined();
  return `${kind}${most === undefined ? `from ${minimum!}` : `${minimum!} to ${most}`}`;
}

/** The range of a setting, as in the table. */
function describeRange(forms: readonly SchemaNode[]): string {
  const values = new Set(forms.flatMap(listedValues).map((value) => JSON.stringify(value)));
  if (values.size > 0) return [...values].join(', ');
  const [form] = forms;
  if (form!.type === 'string') return 'text';
  return form!.type === 'array' ? `list of up to ${form!.maxItems!}` : describeNumbers(form!);
}

test('docs/training.md lists exactly the settings, with default, range and meaning', () => {
  const schema = z.toJSONSchema(RunConfig, { io: 'input' }) as SchemaNode;
  const settings = settingsOf(schema);
  settings.delete('$schema');
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'training.md'), 'utf8');
  const [, table] = /^## Settings\n([^]*?)^## /m.exec(text)!;
  const rows = Array.from(
    table!.matchAll(/^\| `([\w.]+)` +\| (.*?) +\| (.*?) +\| (?:.*?) +\| (.*?) +\|$/gm),
    ([, name, value, range, meaning]) => ({
      name: name!,
      value: value!,
      range: range!,
      meaning: meaning!,
    }),
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...settings.keys()].sort());
  for (const { name, value, range, meaning } of rows) {
    const forms = settings.get(name)!;
    const [{ default: usual, description = '' }] = forms as [SchemaNode];
    const defaultText = usual === undefined ? 'absent' : JSON.stringify(usual);
    expect([name, value, range]).toEqual([name, defaultText, describeRange(forms)]);
    // Some rows add examples, links or the variant of a choice.
    expect(meaning).toContain(description);
  }
});
