import { join } from 'node:path';

/** Path of a compiled module, such as `scripts/main.js`: child processes of a test run what users run. */
export function builtModule(path: string): string {
  return join(import.meta.dirname, '..', '..', 'dist', path);
}
