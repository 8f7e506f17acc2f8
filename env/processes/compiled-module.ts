// Needs Node: paths of modules that other processes run.
import { statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const thisFile = fileURLToPath(import.meta.url);
/** The folder with the compiled modules: `dist/`. This module runs there or, under test, as TypeScript. */
const dist = join(dirname(thisFile), '..', '..', ...(thisFile.endsWith('.ts') ? ['dist'] : []));

/** Files that compilations write last; an installed package lacks them. */
const STAMPS = ['compilation.tsbuildinfo', 'build.tsbuildinfo'];

let usesBundles = true;

/** Makes processes run from compiled modules, because stack traces from there name source files. */
export function avoidBundles(): void {
  usesBundles = false;
}

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
 * bundle as new as the compilation, or after `avoidBundles`.
 */
export function bundledModule(url: string, name: string): string {
  const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const compiled = compiledModule(url, name);
  const bundle = join(dist, 'start', basename(compiled));
  const written = modified(bundle);
  const isNew = written > 0 && STAMPS.every((stamp) => written >= modified(join(dist, stamp)));
  return isNew && usesBundles ? bundle : compiled;
}
