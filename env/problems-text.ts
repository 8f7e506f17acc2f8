import type * as z from 'zod';
import { toDotPath, toJSONSchema } from 'zod/v4/core';
import { suggestName } from './text/nearest-name.js';
import { quote } from './text/quoted-text.js';

/** Maximum number of problems in a message; a file can have millions. */
const MAX_PROBLEMS = 10;
/** Maximum number of unknown keys in a message. */
const MAX_KEYS = 5;

type RawIssue = z.core.$ZodRawIssue;
/** The limits of a number in a JSON Schema. */
type Limits = Pick<
  z.core.JSONSchema.BaseSchema,
  'type' | 'minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum'
>;

/** The end of a message about the unknown key at a path; `siblings` are the known keys of its object. */
export type KeySuggestion = (
  path: readonly PropertyKey[],
  key: string,
  siblings: readonly string[],
) => string;

function explainKeys(issue: RawIssue, keys: readonly string[], suggest: KeySuggestion): string {
  const { shape = {} } = (issue.inst?._zod.def ?? {}) as { readonly shape?: object };
  const texts = keys
    .slice(0, MAX_KEYS)
    .map((key) => `${quote(key)}${suggest(issue.path ?? [], key, Object.keys(shape))}`);
  const more = keys.length > MAX_KEYS ? `, and ${keys.length - MAX_KEYS} more` : '';
  return `unknown ${keys.length === 1 ? 'key' : 'keys'} ${texts.join(', ')}${more}`;
}

function explainChoice(input: unknown, values: readonly unknown[]): string | undefined {
  if (values.length < 2) return undefined;
  const known = values.map(String);
  if (typeof input !== 'string') return `expected one of ${known.join(', ')}`;
  return `expected one of ${known.join(', ')}; got ${quote(input)}${suggestName(input, known)}`;
}

/** The expected choice of the key that tells the members of a union apart. */
function explainUnion(issue: RawIssue): string | undefined {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return undefined;
  const known = (issue.options as readonly unknown[]).filter((option) => option !== undefined);
  const given = issue.input as Readonly<Record<string, unknown>> | null;
  return explainChoice(given?.[issue.discriminator], known);
}

/** ` from 1 to 64`, ` above 0`, ` above 0 up to 1` or nothing, by the limits of a number. */
function describeRange({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Limits): string {
  const parts: string[] = [];
  if (exclusiveMinimum !== undefined) parts.push(`above ${exclusiveMinimum}`);
  else if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) parts.push(`from ${minimum}`);
  if (exclusiveMaximum !== undefined) parts.push(`below ${exclusiveMaximum}`);
  else if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    parts.push(exclusiveMinimum === undefined ? `to ${maximum}` : `up to ${maximum}`);
  else if (parts[0]?.startsWith('from') === true) parts.push('up');
  return parts.map((part) => ` ${part}`).join('');
}

/** The expected number with its range, and what was found. */
function explainNumber({ schema, inst, input }: RawIssue): string | undefined {
  // Unlike a schema, a check has no type.
  const owner = (schema ?? inst) as z.core.$ZodType | undefined;
  if ((owner?._zod.def as { readonly type?: string } | undefined)?.type !== 'number') return undefined;
  const limits = toJSONSchema(owner!, { io: 'input' }) as Limits;
  const kind = limits.type === 'integer' ? 'a whole number' : 'a number';
  const found = typeof input === 'number' ? String(input) : describeKind(input);
  return `expected ${kind}${describeRange(limits)}; got ${found}`;
}

/** The kinds of JSON values other than numbers, in messages. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The expected kind of a value, and what was found. */
function explainKind(issue: RawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  const { expected, input } = issue;
  const kind = KINDS[expected];
  return kind === undefined ? undefined : `expected ${kind}; got ${describeKind(input)}`;
}

/** The expected length of a text or a list. */
function explainLength(issue: RawIssue): string | undefined {
  const isShort = issue.code === 'too_small';
  if (!isShort && issue.code !== 'too_big') return undefined;
  const unit = ({ string: 'character', array: 'entry' } as Record<string, string>)[issue.origin];
  if (unit === undefined) return undefined;
  const limit = Number(isShort ? issue.minimum : issue.maximum);
  const units = limit === 1 ? unit : unit === 'entry' ? 'entries' : `${unit}s`;
  const found = (issue.input as { readonly length: number }).length;
  return `expected at ${isShort ? 'least' : 'most'} ${limit} ${units}; got ${found}`;
}

function describeKind(input: unknown): string {
  if (typeof input === 'string') return quote(input);
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  if (input === undefined) return 'nothing';
  return input === null ? 'null' : Array.isArray(input) ? 'a list' : 'an object';
}

/**
 * Parameters of `safeParse` for values written by people: messages name the nearest known key or choice, the range of
 * numbers, the length of texts and lists, and the kind of other values.
 */
export function explained(suggest: KeySuggestion): {
  readonly error: (issue: RawIssue) => string | undefined;
} {
  return {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') return explainKeys(issue, issue.keys, suggest);
      if (issue.code === 'invalid_value') return explainChoice(issue.input, issue.values);
      return explainUnion(issue) ?? explainNumber(issue) ?? explainLength(issue) ?? explainKind(issue);
    },
  };
}

/** `explained` with the nearest key of the same object. */
export const EXPLAINED = explained((_path, key, siblings) => suggestName(key, siblings));

/** The problems of a value on one line, each with its path, joined by `; `; at most the first `MAX_PROBLEMS`. */
export function describeProblems({ issues }: Pick<z.ZodError, 'issues'>): string {
  const texts = issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => (path.length === 0 ? message : `${message}, at ${toDotPath(path)}`));
  const more = issues.length - MAX_PROBLEMS;
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
