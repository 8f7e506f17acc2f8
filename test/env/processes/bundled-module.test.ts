import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { build } from 'esbuild';
import type * as compiledModule from '../../../env/processes/compiled-module.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const SOURCE = join(import.meta.dirname, '../../../env/processes/compiled-module.ts');

/** A folder like that of the program, with the compiled function in `dist/`. */
let dist: string;
let copy: typeof compiledModule;

function write(name: string, seconds: number): string {
  const path = join(dist, name);
  writeFileSync(path, '');
  utimesSync(path, seconds, seconds);
  return path;
}

function found(): string {
  return copy.bundledModule(pathToFileURL(join(dist, 'games', 'pool.js')).href, 'worker');
}

/** Makes the folder, with a copy of the module. */
async function prepare(): Promise<void> {
  dist = join(temporaryFolder(), 'dist');
  const outfile = join(dist, 'env', 'processes', 'compiled-module.mjs');
  await build({ entryPoints: [SOURCE], outfile, format: 'esm', platform: 'node' });
  copy = (await import(pathToFileURL(outfile).href)) as typeof compiledModule;
  mkdirSync(join(dist, 'start'));
}

test('a process runs from the bundle only if it is as new as both kinds of compilation', async () => {
  await prepare();
  const compiled = join(dist, 'games', 'worker.js');
  expect(found()).toBe(compiled);
  const bundle = write('start/worker.js', 100);
  // An installed package has no stamps.
  expect(found()).toBe(bundle);
  for (const stamp of ['compilation.tsbuildinfo', 'build.tsbuildinfo']) {
    const path = write(stamp, 101);
    expect(found()).toBe(compiled);
    utimesSync(path, 100, 100);
    expect(found()).toBe(bundle);
  }
  rmSync(bundle);
  expect(found()).toBe(compiled);
});

test('with --debug it runs from the modules, which stack traces name', async () => {
  await prepare();
  const bundle = write('start/worker.js', 100);
  expect(found()).toBe(bundle);
  copy.avoidBundles();
  expect(found()).toBe(join(dist, 'games', 'worker.js'));
});
