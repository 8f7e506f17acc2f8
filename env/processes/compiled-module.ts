// Needs Node: paths of modules that other processes run.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Path of a compiled module for another process to run: `name`, without its extension, in the folder of the module at
 * `url`. If that module runs as TypeScript, under test, the path is the one in `dist/`.
 */
export function compiledModule(url: string, name: string): string {
  const file = fileURLToPath(url);
  const folder = dirname(file);
  if (!file.endsWith('.ts')) return join(folder, `${name}.js`);
  const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  return join(root, 'dist', relative(root, folder), `${name}.js`);
}
