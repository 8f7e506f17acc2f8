import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';

/** The problems of a value on one line: each with its path, joined by `; `. */
export function describeProblems({ issues }: Pick<z.ZodError, 'issues'>): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${message}, at ${toDotPath(path)}`))
    .join('; ');
}
