#!/usr/bin/env node
// The `gess` program. In a checkout it first compiles changed sources; an installed package has only dist/.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SOURCE_FOLDERS = ['env', 'data', 'agents', 'training', 'scripts'];

function newestChange(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return path.endsWith('.ts') ? status.mtimeMs : 0;
  // A folder's own time changes when files are removed.
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

/** As many files are open at once while Node loads the program. */
const OPEN_FILES = 200;

/** Ends with one line where the limit of open files is lower: each module would fail in its own way. */
function expectOpenFiles() {
  const files = [];
  try {
    while (files.length < OPEN_FILES) files.push(openSync(fileURLToPath(import.meta.url)));
  } catch (error) {
    if (error.code !== 'EMFILE' && error.code !== 'ENFILE') throw error;
    const found = `expected ${OPEN_FILES} files that can be open at once, found ${files.length}`;
    files.forEach(closeSync);
    process.stderr.write(`gess: ${found}: raise the limit, as with 'ulimit -n 1024' [open-files]\n`);
    process.exit(1);
  }
  files.forEach(closeSync);
}

expectOpenFiles();

const buildInfo = join(root, 'dist', 'build.tsbuildinfo');

function isStale() {
  // Python writes files of its own below examples/.
  const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));
  const sources = [
    ...SOURCE_FOLDERS,
    ...examples.map((name) => join('examples', name)),
    'gess-zero.ts',
    'tsconfig.json',
    'tsconfig.build.json',
  ].map((name) => join(root, name));
  return !existsSync(buildInfo) || statSync(buildInfo).mtimeMs < Math.max(...sources.map(newestChange));
}

if (existsSync(join(root, 'tsconfig.build.json')) && isStale()) {
  process.stderr.write('gess: compiling\n');
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(1);
  // tsc does not write the file if only times changed.
  utimesSync(buildInfo, new Date(), new Date());
}
await import('../dist/scripts/main.js');
