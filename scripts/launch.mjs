#!/usr/bin/env node
// The `gess` program. In a checkout it first compiles changed sources; an installed package has only dist/.
import { closeSync, existsSync, openSync, readdirSync, statSync, utimesSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runsFromBundle } from './launch-choice.mjs';

const thisFile = fileURLToPath(import.meta.url);
const root = join(dirname(thisFile), '..');
const SOURCE_FOLDERS = ['env', 'data', 'agents', 'session', 'training', 'scripts'];

/** Milliseconds of the newest change of a folder's TypeScript files, and of the folder: files may be removed. */
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

const buildInfo = join(root, 'dist', 'build.tsbuildinfo');
const bundle = join(root, 'dist', 'start', 'main.js');

function isStale() {
  const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));
  const files = [
    ...examples.map((name) => join('examples', name)),
    'gess-zero.ts',
    'tsconfig.json',
    'tsconfig.build.json',
  ];
  const changes = [
    ...SOURCE_FOLDERS.map((name) => newestChange(join(root, name))),
    ...files.map((name) => statSync(join(root, name)).mtimeMs),
  ];
  return !existsSync(buildInfo) || statSync(buildInfo).mtimeMs < Math.max(...changes);
}

/** A bundle older than the compiled modules is left alone; a package has no build information. */
function hasBundle() {
  const written = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return written > 0 && written >= (statSync(buildInfo, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

if (existsSync(join(root, 'tsconfig.build.json')) && isStale()) {
  process.stderr.write('gess: compiling\n');
  const { spawnSync } = await import('node:child_process');
  const compiler = module.createRequire(thisFile).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(1);
  // tsc does not write the file if only times changed.
  utimesSync(buildInfo, new Date(), new Date());
  // Without the bundler, as in an installation without development packages, commands run from the compiled modules.
  spawnSync(process.execPath, [join(root, 'scripts', 'start-bundle.mjs')], { stdio: 'ignore' });
}
// Since Node 22: compiled code is kept in the folder for temporary files.
module.enableCompileCache?.();
await import(
  runsFromBundle(process.argv.slice(2)) && hasBundle() ? '../dist/start/main.js' : '../dist/scripts/main.js'
);
