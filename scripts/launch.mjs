#!/usr/bin/env node
// The `gess` program. In a checkout it first compiles changed sources; an installed package has only dist/.
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runsFromBundle } from './start/launch-choice.mjs';

const thisFile = fileURLToPath(import.meta.url);
const root = join(dirname(thisFile), '..');

/** Number of files that Node opens at once while it loads the program. */
const OPEN_FILES = 200;

/** Ends with one line if the limit on open files is lower: otherwise each module would fail in its own way. */
function expectOpenFiles() {
  const files = [];
  try {
    while (files.length < OPEN_FILES) files.push(openSync(thisFile));
  } catch (error) {
    if (error.code !== 'EMFILE' && error.code !== 'ENFILE') throw error;
    const found = `expected a limit of at least ${OPEN_FILES} more open files, found ${files.length}`;
    files.forEach(closeSync);
    process.stderr.write(`gess: ${found}: raise it, for example with 'ulimit -n 1024' [open-files]\n`);
    process.exit(1);
  }
  files.forEach(closeSync);
}

expectOpenFiles();

const bundle = join(root, 'dist', 'start', 'main.js');

/** Whether there is a bundle as new as the compiled modules; an installed package has only the bundle. */
function hasBundle(compiled) {
  const written = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return written > 0 && written >= (statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** Why the compiler did not start. It does not load in a working folder that was removed. */
function describeFailure(error) {
  if (error.syscall === 'uv_cwd')
    return 'expected a working folder, found that it was removed [file-missing]';
  return `expected the packages of the checkout (npm ci): ${error.message}`;
}

/** Compiles the changed sources of a checkout; returns the path of the file whose time is that of the compilation. */
async function compileCheckout() {
  const { compile, compilationStamp, isStale } = await import('./start/compilation.mjs');
  if (isStale(root)) {
    process.stderr.write('gess: compiling\n');
    await compile(root).catch((error) => {
      // The compiler has already printed syntax errors.
      if (error.errors === undefined) process.stderr.write(`gess: ${describeFailure(error)}\n`);
      process.exit(1);
    });
    // Without the bundler, as in an installation without development packages, commands run from the compiled modules.
    const { spawnSync } = await import('node:child_process');
    spawnSync(process.execPath, [join(root, 'scripts', 'start', 'start-bundle.mjs')], { stdio: 'ignore' });
  }
  return compilationStamp(root);
}

// An installed package has no sources.
const isCheckout = existsSync(join(root, 'tsconfig.build.json'));
const compiled = isCheckout ? await compileCheckout() : bundle;
// Since Node 22: compiled code is kept in the folder for temporary files.
module.enableCompileCache?.();
await import(
  runsFromBundle(process.argv.slice(2)) && hasBundle(compiled)
    ? '../dist/start/main.js'
    : '../dist/scripts/main.js'
);
