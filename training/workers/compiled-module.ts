import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Path of a compiled module of this folder, `name` without its ending, for another process to run: the file
 * beside this one, or, where this one runs as TypeScript (under test), what was compiled from it to dist/.
 */
export function compiledModule(name: string): string {
  const own = fileURLToPath(import.meta.url);
  const folder = own.endsWith('.ts')
    ? join(dirname(own), '..', '..', 'dist', 'training', 'workers')
    : dirname(own);
  return join(folder, `${name}.js`);
}
