/** Greatest depth of nested arrays and objects in a text; deeper values would overflow the stack of whatever walks them. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
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

/** The name that `literal` spells in JSON, quotes included. */
function nameOf(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

/** Adds a name of an object to those before it. */
function addName(names: Set<string>, name: string): void {
  if (name === '__proto__') {
    throw new SyntaxError("expected names that objects can have, found '__proto__'");
  }
  if (names.has(name)) {
    throw new SyntaxError(`expected each name of an object once, found ${JSON.stringify(name)} twice`);
  }
  names.add(name);
}

/**
 * Rejects JSON that `JSON.parse` accepts but programs mishandle. The text need not be valid JSON otherwise.
 *
 * @throws SyntaxError for values nested deeper than `MAX_JSON_DEPTH`, a repeated name and the name `__proto__`.
 */
function expectPlain(text: string): void {
  /** The names of each open object so far; null for an open array. */
  const open: (Set<string> | null)[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names && isColonNext(text, end)) addName(names, nameOf(text.slice(at, end)));
      at = end;
      continue;
    }
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      open.push(code === OPEN_OBJECT ? new Set() : null);
      if (open.length > MAX_JSON_DEPTH) {
        throw new SyntaxError(`expected values nested at most ${MAX_JSON_DEPTH} deep, found deeper ones`);
      }
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) open.pop();
    at += 1;
  }
}

/**
 * Parses JSON from a stranger: like `JSON.parse`, but safe to walk by recursion and without names that are lost or
 * overwrite each other.
 *
 * @throws SyntaxError for invalid JSON, values nested deeper than `MAX_JSON_DEPTH`, a repeated name of an object, and
 *   the name `__proto__`.
 */
export function parseJsonText(text: string): unknown {
  expectPlain(text);
  return JSON.parse(text) as unknown;
}
