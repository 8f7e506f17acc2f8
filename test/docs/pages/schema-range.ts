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
