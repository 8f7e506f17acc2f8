import { errorText } from './error-text.js';

/** Greatest depth of nested arrays and objects in a text; recursion over deeper values could overflow the stack. */
const MAX_JSON_DEPTH = 64;

/** Limits of a text. */
export interface JsonLimits {
  /** Default: `MAX_JSON_DEPTH`. */
  readonly maxDepth?: number;
  /**
   * Maximum number of values in all arrays and objects; unlimited by default. A schema that finds a problem in each of
   * them takes about a kilobyte for it.
   */
  readonly maxValues?: number;
}

/** Thrown for a text that is not JSON, or JSON that programs mishandle. Callers add a code and name the text. */
export class JsonTextError extends SyntaxError {
  override readonly name = 'JsonTextError';
  readonly reason: 'syntax' | 'depth' | 'values' | 'name';

  constructor(reason: JsonTextError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Index after the string that opens at `start`; the end of the text if it does not close. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at + 1;
    at += 1;
  }
  return text.length;
}

/** Whether the next character at or after `at`, white space apart, is a colon. */
function isColonNext(text: string, at: number): boolean {
  let next = at;
  while (next < text.length && text.charCodeAt(next) <= 0x20) next += 1;
  return text.charCodeAt(next) === COLON;
}

/** The name that `literal`, a JSON string with its quotes, stands for; `literal` itself if it is not valid JSON. */
function nameOf(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    // The parser reports it.
    return literal;
  }
}

/** An array or object that is not closed yet. */
interface OpenValue {
  /** The names of an object so far; null for an array. */
  readonly names: Set<string> | null;
  /** The latest of these names. */
  name: string;
  /** Values of an array before the current one. */
  index: number;
}

/** The place of the innermost open value: `, at a[1].b`. */
function placeOf(open: readonly OpenValue[]): string {
  const path = open
    .slice(0, -1)
    .map(({ names, name, index }) => (names === null ? `[${index}]` : `.${name}`))
    .join('');
  return path === '' ? '' : `, at ${path.replace(/^\./, '')}`;
}

/** Adds a name of the innermost open object to those before it. */
function addName(open: readonly OpenValue[], names: Set<string>, name: string): void {
  if (name === '__proto__') {
    const problem = `expected names that objects can have, found '__proto__'${placeOf(open)}`;
    throw new JsonTextError('name', problem);
  }
  if (names.has(name)) {
    const found = `${JSON.stringify(name)} twice${placeOf(open)}`;
    throw new JsonTextError('name', `expected each name of an object once, found ${found}`);
  }
  names.add(name);
  open.at(-1)!.name = name;
}

/** Changes `open` by a character outside of strings; returns the number of values that it begins. */
function follow(open: OpenValue[], code: number): number {
  if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
    open.push({ names: code === OPEN_OBJECT ? new Set() : null, name: '', index: 0 });
    return 1;
  }
  if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) open.pop();
  else if (code === COMMA) {
    const last = open.at(-1);
    if (last !== undefined) last.index += 1;
    return 1;
  }
  return 0;
}

/**
 * Rejects JSON that `JSON.parse` accepts but programs mishandle. The text need not be valid JSON otherwise.
 *
 * @throws JsonTextError for too deep or too many values, a repeated name and the name `__proto__`.
 */
function expectPlain(text: string, { maxDepth = MAX_JSON_DEPTH, maxValues = Infinity }: JsonLimits): void {
  const open: OpenValue[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const names = open.at(-1)?.names;
      if (names && isColonNext(text, end)) addName(open, names, nameOf(text.slice(at, end)));
      at = end - 1;
      continue;
    }
    values += follow(open, code);
    if (open.length > maxDepth) {
      throw new JsonTextError('depth', `expected values nested at most ${maxDepth} deep, found deeper ones`);
    }
    if (values > maxValues) {
      throw new JsonTextError('values', `expected at most ${maxValues} values, found more`);
    }
  }
}

/**
 * Parses untrusted JSON: like `JSON.parse`, but safe to walk by recursion and without names that are lost or
 * overwrite each other.
 *
 * @throws JsonTextError for invalid JSON, values nested too deep, too many values, a repeated name of an object, and
 *   the name `__proto__`.
 */
export function parseJsonText(text: string, limits: JsonLimits = {}): unknown {
  expectPlain(text, limits);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new JsonTextError('syntax', errorText(cause), { cause });
  }
}
