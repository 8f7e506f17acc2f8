// Compiles the sources of a checkout into dist/ without checking their types, which takes a second instead of a dozen.
// `npm run build` checks them and writes declarations too.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The source files of an entry of `include`: of a file itself, of a folder all below. */
function sourcesOf(entry) {
  if (entry.endsWith('.ts')) return [entry];
  const names = readdirSync(join(root, entry), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(entry, name));
}

const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));

try {
  await build({
    absWorkingDir: root,
    entryPoints: include.flatMap(sourcesOf),
    outdir: 'dist',
    outbase: '.',
    format: 'esm',
    platform: 'node',
    sourcemap: true,
    tsconfig: 'tsconfig.build.json',
    logLevel: 'warning',
  });
} catch {
  // esbuild has printed what is wrong.
  process.exitCode = 1;
}
