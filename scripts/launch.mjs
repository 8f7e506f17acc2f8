#!/usr/bin/env node
// The `gess` program. In a checkout it first compiles changed sources; an installed package has only dist/.
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runsFromBundle } from './start/launch-choice.mjs';

const thisFile = fileURLToPath(import.meta.url);
const root = join(dirname(thisFile), '..');

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

const bundle = join(root, 'dist', 'start', 'main.js');

/** A bundle older than the compiled modules is left alone; a package has only the bundle. */
function hasBundle(compiled) {
  const written = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return written > 0 && written >= (statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** Compiles what has changed in a checkout. */
async function compileCheckout() {
  const { compile, compilationStamp, isStale } = await import('./start/compilation.mjs');
  if (isStale(root)) {
    process.stderr.write('gess: compiling\n');
    await compile(root).catch((error) => {
      // The compiler has printed errors of syntax.
      if (error.errors === undefined)
        process.stderr.write(`gess: expected the packages of the checkout (npm ci): ${error.message}\n`);
      process.exit(1);
    });
    // Without the bundler, as in an installation without development packages, commands run from the compiled modules.
    const { spawnSync } = await import('node:child_process');
    spawnSync(process.execPath, [join(root, 'scripts', 'start', 'start-bundle.mjs')], { stdio: 'ignore' });
  }
  return compilationStamp(root);
}

// A package has no sources.
const isCheckout = existsSync(join(root, 'tsconfig.build.json'));
const compiled = isCheckout ? await compileCheckout() : bundle;
// Since Node 22: compiled code is kept in the folder for temporary files.
module.enableCompileCache?.();
await import(
  runsFromBundle(process.argv.slice(2)) && hasBundle(compiled)
    ? '../dist/start/main.js'
    : '../dist/scripts/main.js'
);
