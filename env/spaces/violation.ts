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
