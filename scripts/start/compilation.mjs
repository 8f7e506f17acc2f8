// Compiles the sources of a checkout to dist/ without checking types, which `npm run typecheck` and `npm run build` do.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { replaceFile } from './replaced-file.mjs';

/** The settings of the compiler; `include` names the sources. */
const CONFIG = 'tsconfig.build.json';

/** A file written last. Its modification time is the start of the compilation, so that later changes are not missed. */
export function compilationStamp(root) {
  return join(root, 'dist', 'compilation.tsbuildinfo');
}

/** Paths of the folders and files that hold the sources, relative to `root`. */
function listSources(root) {
  const { include } = JSON.parse(readFileSync(join(root, CONFIG), 'utf8'));
  return include.flatMap((path) => {
    if (path.endsWith('.ts')) return [path];
    const below = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
    const entries = below.filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'));
    return [path, ...entries.map(({ parentPath, name }) => relative(root, join(parentPath, name)))];
  });
}

/** Whether a source has changed since the compilation, or a folder, from which files may have been removed. */
export function isStale(root) {
  const compiled = statSync(compilationStamp(root), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const paths = ['tsconfig.json', CONFIG, ...listSources(root)];
  return paths.some((path) => statSync(join(root, path)).mtimeMs > compiled);
}

/**
 * Compiles all sources, and replaces the compiled files that differ.
 *
 * @throws Error after the compiler has printed the lines with syntax errors.
 */
export async function compile(root) {
  const { build, stop } = await import('esbuild');
  const begun = new Date();
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: listSources(root).filter((path) => path.endsWith('.ts')),
    outbase: '.',
    outdir: 'dist',
    format: 'esm',
    platform: 'node',
    tsconfig: CONFIG,
    sourcemap: true,
    sourcesContent: false,
    write: false,
    logLevel: 'warning',
  });
  // Its process would otherwise stay as long as the command.
  await stop();
  for (const { path, contents } of outputFiles) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, contents);
  }
  const stamp = compilationStamp(root);
  replaceFile(stamp, '{}\n');
  utimesSync(stamp, begun, begun);
}
