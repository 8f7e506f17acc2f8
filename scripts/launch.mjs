#!/usr/bin/env node
// The `gess` program. In a checkout it first compiles changed sources; an installed package has only dist/.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runsFromBundle } from './launch-choice.mjs';

const thisFile = fileURLToPath(import.meta.url);
const root = join(dirname(thisFile), '..');

/** Milliseconds of the last change of a folder and of its TypeScript files: files may be removed. */
function newestChange(folder) {
  let newest = statSync(folder).mtimeMs;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) newest = Math.max(newest, newestChange(path));
    else if (path.endsWith('.ts')) newest = Math.max(newest, statSync(path).mtimeMs);
  }
  return newest;
}

/** As many files are open at once while Node loads the program. */
const OPEN_FILES = 200;

/** Ends with one line where the limit of open files is lower: each module would fail in its own way. */
function expectOpenFiles() {
  const files = [];
  try {
    while (files.length < OPEN_FILES) files.push(openSync(thisFile));
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

const buildSettings = join(root, 'tsconfig.build.json');
/** Files written after compiling: by this launcher, and by `npm run build`. A package has neither. */
const stamp = join(root, 'dist', 'compiled');
const buildInfo = join(root, 'dist', 'build.tsbuildinfo');
const bundle = join(root, 'dist', 'start', 'main.js');

/** Milliseconds of the last change of a file; 0 if it does not exist. */
function changed(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function lastCompiled() {
  return Math.max(changed(stamp), changed(buildInfo));
}

/** Whether a source has changed since, of those that tsconfig.build.json includes. */
function isStale() {
  const { include } = JSON.parse(readFileSync(buildSettings, 'utf8'));
  const changes = ['tsconfig.json', 'tsconfig.build.json', ...include].map((name) => {
    const path = join(root, name);
    return statSync(path).isDirectory() ? newestChange(path) : changed(path);
  });
  return lastCompiled() < Math.max(...changes);
}

/** Whether there is a bundle, not older than the compiled modules. */
function hasBundle() {
  const written = changed(bundle);
  return written > 0 && written >= lastCompiled();
}

if (existsSync(buildSettings) && isStale()) {
  process.stderr.write('gess: compiling\n');
  const { spawnSync } = await import('node:child_process');
  const run = (name, stdio) => spawnSync(process.execPath, [join(root, 'scripts', name)], { stdio });
  if (run('compile.mjs', ['ignore', 2, 2]).status !== 0) process.exit(1);
  writeFileSync(stamp, '');
  // Without a bundle, commands run from the compiled modules.
  run('start-bundle.mjs', 'ignore');
}
// Since Node 22: compiled code is kept in the folder for temporary files.
module.enableCompileCache?.();
await import(
  runsFromBundle(process.argv.slice(2)) && hasBundle() ? '../dist/start/main.js' : '../dist/scripts/main.js'
);
