/** A key of a `Dict`, or an index of a `Tuple` or an array. */
export type PathPart = string | number;

/** Why a value is not in a space. */
export interface Violation {
  /** The path in the value: `['observation', 17]`; empty for the value itself. Array indices are flat. */
  readonly path: readonly PathPart[];
  /** A text for the expected values: `a number 0 to 1`. */
  readonly expected: string;
  /** A text for the value found: `NaN`. */
  readonly found: string;
}

/** `observation[17]` for `['observation', 17]`; empty for an empty path. */
export function formatPath(path: readonly PathPart[]): string {
  return path
    .map((part, depth) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[\p{L}_$][\p{L}\d_$]*$/u.test(part)) return `[${JSON.stringify(part)}]`;
      return depth === 0 ? part : `.${part}`;
    })
    .join('');
}

/** `expected a number 0 to 1, got NaN at observation[17]`. */
export function formatViolation({ path, expected, found }: Violation): string {
  const where = path.length === 0 ? '' : ` at ${formatPath(path)}`;
  return `expected ${expected}, got ${found}${where}`;
}

/** The violation as seen from the value that holds the violating value at `part`. */
export function violationAt(part: PathPart, violation: Violation): Violation {
  return { ...violation, path: [part, ...violation.path] };
}

const MAX_SHOWN_CHARACTERS = 40;

/**
 * Describes any value in a few words, for messages: `NaN`, `"text"`, `a Float64Array of 3`, `an object with
 * keys a, b`.
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return shorten(JSON.stringify(value));
  if (typeof value === 'bigint') return `${shorten(String(value))}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value)) {
    const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
    return 'length' in value ? `a ${name} of ${String(value.length)}` : `a ${name}`;
  }
  const keys = Object.keys(value);
  return keys.length === 0 ? 'an object without keys' : `an object with keys ${shorten(keys.join(', '))}`;
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}
