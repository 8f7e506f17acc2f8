/** A node of a JSON Schema, as zod writes it. */
export interface SchemaNode {
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
export function settingsOf(
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

/** The one variant of a choice that has a setting; null if all have it, or there is no choice. */
export function variantOf(node: SchemaNode, path: string): string | null {
  const keys = path.split('.');
  const last = keys.pop()!;
  let group: SchemaNode = node;
  for (const key of keys) group = group.properties![key]!;
  const forms = (group.anyOf ?? group.oneOf ?? []).filter((form) => form.properties !== undefined);
  const having = forms.filter((form) => last in form.properties!);
  if (forms.length < 2 || having.length !== 1) return null;
  const kind = Object.values(having[0]!.properties!).find((part) => part.const !== undefined);
  return String(kind!.const);
}

/** The values that a node lists; none for a range. */
function listedValues({ anyOf, const: only, enum: values, type }: SchemaNode): readonly unknown[] {
  if (anyOf !== undefined) return anyOf.flatMap(listedValues);
  if (only !== undefined) return [only];
  return values ?? (type === 'boolean' ? [true, false] : []);
}

/** @throws Error if the setting has no lower limit. */
function describeNumbers({ type, minimum, exclusiveMinimum, maximum, multipleOf }: SchemaNode): string {
  const kind = multipleOf === 2 ? 'even, ' : type === 'integer' ? 'whole, ' : '';
  // Every integer has this limit; for seeds, it is the only one.
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (exclusiveMinimum !== undefined) {
    return `${kind}above ${exclusiveMinimum}${most === undefined ? '' : `, up to ${most}`}`;
  }
  if (minimum === undefined) throw new Error('expected a setting with a lower limit');
  return `${kind}${most === undefined ? `from ${minimum}` : `${minimum} to ${most}`}`;
}

/** The range of a setting, in words. */
export function describeRange(forms: readonly SchemaNode[]): string {
  const values = new Set(forms.flatMap(listedValues).map((value) => JSON.stringify(value)));
  if (values.size > 0) return Array.from(values, (value) => `\`${value}\``).join(', ');
  const [form] = forms;
  if (form!.type === 'string') return 'text';
  return form!.type === 'array' ? `list of up to ${form!.maxItems!}` : describeNumbers(form!);
}
