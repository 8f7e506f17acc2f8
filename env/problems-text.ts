import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { suggestName } from './text/nearest-name.js';
import { quote } from './text/quoted-text.js';

/** Maximum number of problems in a message; a file can have millions. */
const MAX_PROBLEMS = 10;
/** Maximum number of unknown keys in a message. */
const MAX_KEYS = 5;

type RawIssue = z.core.$ZodRawIssue;
/** A problem and its place. */
type Problem = Pick<z.core.$ZodIssue, 'path' | 'message'>;
/** The limits of a number. */
type Limits = Partial<Record<'minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum', number>>;
/** The definition of the schema of a number, or of one of its checks. */
interface NumberDef {
  readonly type?: string;
  readonly check?: string;
  readonly format?: string;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly checks?: readonly z.core.$ZodCheck[];
}

/** The end of a message about the unknown key at a path; `siblings` are the known keys of its object. */
export type KeySuggestion = (
  path: readonly PropertyKey[],
  key: string,
  siblings: readonly string[],
) => string;

function explainKeys(issue: RawIssue, keys: readonly string[], suggest: KeySuggestion): string {
  const { shape = {} } = (issue.inst?._zod.def ?? {}) as { readonly shape?: object };
  const shown = keys.slice(0, MAX_KEYS);
  const hints = shown.map((key) => suggest(issue.path ?? [], key, Object.keys(shape)));
  // A hint that several keys have, such as the command that lists all, is told once.
  const shared = hints.find((hint, index) => hints.indexOf(hint) < index) ?? '';
  const texts = shown.map((key, index) => `${quote(key)}${hints[index] === shared ? '' : hints[index]!}`);
  const more = keys.length > MAX_KEYS ? `, and ${keys.length - MAX_KEYS} more` : '';
  return `unknown ${keys.length === 1 ? 'key' : 'keys'} ${texts.join(', ')}${more}${shared}`;
}

function explainChoice(input: unknown, values: readonly unknown[]): string {
  const known = values.map(String);
  const expected = values.length === 1 ? describeKind(values[0]) : `one of ${known.join(', ')}`;
  if (typeof input !== 'string') return `expected ${expected}; got ${describeKind(input)}`;
  // The text of a number, say: the nearest name would be the text itself.
  if (known.includes(input)) return `expected ${expected}; got the text ${quote(input)}`;
  return `expected ${expected}; got ${quote(input)}${suggestName(input, known)}`;
}

/** The expected choice of the key that tells the members of a union apart, or what each member expects. */
function explainUnion(issue: RawIssue): string | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  if (issue.discriminator === undefined) return explainMembers(issue.errors, issue.input);
  const known = (issue.options as readonly unknown[]).filter((option) => option !== undefined);
  const given = issue.input as Readonly<Record<string, unknown>> | null;
  return explainChoice(given?.[issue.discriminator], known);
}

/** The expectations of all members of a union that refuse the value itself, not something within it. */
function explainMembers(errors: readonly (readonly Problem[])[], input: unknown): string | undefined {
  const messages = errors.flatMap(([problem]) => (problem?.path.length === 0 ? [problem.message] : []));
  const expected = messages.flatMap((message) => /^expected (.+?); got /.exec(message)?.[1] ?? []);
  return expected.length === 0 ? undefined : `expected ${expected.join(', or ')}; got ${describeKind(input)}`;
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

function describeNumber(number: NumberDef): string {
  const defs = [number, ...(number.checks ?? []).map(({ _zod }) => _zod.def as NumberDef)];
  const limits: Limits = {};
  for (const { check, value, inclusive } of defs) {
    if (check === 'greater_than') limits[inclusive ? 'minimum' : 'exclusiveMinimum'] = value!;
    if (check === 'less_than') limits[inclusive ? 'maximum' : 'exclusiveMaximum'] = value!;
  }
  const isWhole = defs.some(({ format }) => format?.includes('int'));
  return `a ${isWhole ? 'whole ' : ''}number${describeRange(limits)}`;
}

/** The expected number with its range, and what was found. */
function explainNumber({ schema, inst, input }: RawIssue): string | undefined {
  // Unlike a schema, a check has no type.
  const def = ((schema ?? inst) as z.core.$ZodType | undefined)?._zod.def as NumberDef | undefined;
  if (def?.type !== 'number') return undefined;
  const found = typeof input === 'number' ? String(input) : describeKind(input);
  return `expected ${describeNumber(def)}; got ${found}`;
}

/** The kinds of JSON values other than numbers, in messages. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
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

/** The expected form of a text, which may be a secret, or the divisor of a number. */
function explainForm(issue: RawIssue): string | undefined {
  if (issue.code === 'not_multiple_of')
    return `expected a multiple of ${issue.divisor}; got ${String(issue.input)}`;
  if (issue.code !== 'invalid_format' || issue.pattern === undefined) return undefined;
  return `expected a text that matches ${issue.pattern}`;
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
      const form = explainUnion(issue) ?? explainForm(issue) ?? explainNumber(issue);
      return form ?? explainLength(issue) ?? explainKind(issue);
    },
  };
}

/** `explained` with the nearest key of the same object. */
export const EXPLAINED = explained((_path, key, siblings) => suggestName(key, siblings));

/** The problems of the member of a union that fits a value but for something within it; else the problem itself. */
function problemsWithin(issue: z.core.$ZodIssue): readonly Problem[] {
  const members = issue.code === 'invalid_union' ? issue.errors : [];
  const fitting = members.find((problems) => problems.every(({ path }) => path.length > 0));
  if (fitting === undefined) return [issue];
  return fitting
    .flatMap(problemsWithin)
    .map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
}

/** The problems of a value on one line, each with its path, joined by `; `; at most the first `MAX_PROBLEMS`. */
export function describeProblems({ issues }: Pick<z.ZodError, 'issues'>): string {
  const problems = issues.slice(0, MAX_PROBLEMS).flatMap(problemsWithin);
  const texts = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => (path.length === 0 ? message : `${message}, at ${toDotPath(path)}`));
  const more = Math.max(problems.length, issues.length) - MAX_PROBLEMS;
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/**
 * The value as its schema returns it, with defaults.
 *
 * @param refuse makes the error for a value that does not fit, from its problems on one line.
 * @param messages of the problems: a result of `explained`.
 * @throws the error of `refuse`.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refuse: (problems: string, cause: z.ZodError) => Error,
  messages = EXPLAINED,
): z.output<Schema> {
  const parsed = schema.safeParse(value, messages);
  if (parsed.success) return parsed.data;
  throw refuse(describeProblems(parsed.error), parsed.error);
}
