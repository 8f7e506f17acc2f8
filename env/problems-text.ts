import { z } from 'zod';

/** What is wrong with a value, in one line: each problem and its place, joined by `; `. */
export function describeProblems({ issues }: Pick<z.ZodError, 'issues'>): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${message}, at ${z.core.toDotPath(path)}`))
    .join('; ');
}
