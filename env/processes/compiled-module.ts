// Needs Node: paths of modules that other processes run.
import { statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const thisFile = fileURLToPath(import.meta.url);
/** The folder with the compiled modules: `dist/`. This module runs there or, under test, as TypeScript. */
const dist = join(dirname(thisFile), '..', '..', ...(thisFile.endsWith('.ts') ? ['dist'] : []));

/**
 * Path of a compiled module for another process to run: `name`, without its extension, in the folder of the module at
 * `url`. If that module runs as TypeScript, under test, the path is the one in `dist/`.
 */
export function compiledModule(url: string, name: string): string {
  const file = fileURLToPath(url);
  const folder = dirname(file);
  if (!file.endsWith('.ts')) return join(folder, `${name}.js`);
  return join(dist, relative(dirname(dist), folder), `${name}.js`);
}

/**
 * Path of the bundle of a compiled module, which loads in half the time, or that of the module itself if there is no
 * bundle as new as the compilation. Modules that import this package do not share its state with a bundle.
 */
export function bundledModule(url: string, name: string): string {
  const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const compiled = compiledModule(url, name);
  const bundle = join(dist, 'start', basename(compiled));
  // An installed package lacks the stamp.
  const isNew = modified(bundle) > 0 && modified(bundle) >= modified(join(dist, 'compilation.tsbuildinfo'));
  return isNew ? bundle : compiled;
}
