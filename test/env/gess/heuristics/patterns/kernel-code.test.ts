import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, 'kernel');
const CODE = join(import.meta.dirname, '../../../../../env/gess/heuristics/patterns/kernel-code.ts');

const missing = existsSync(join(FOLDER, 'node_modules', 'assemblyscript'))
  ? null
  : 'npm ci --prefix test/env/gess/heuristics/patterns/kernel installs the compiler';
if (missing !== null) console.log(`test of the compiled kernel skipped: ${missing}`);

test.skipIf(missing !== null)('kernel-code.ts is what kernel.as compiles to', { timeout: 60_000 }, () => {
  const print =
    "const { compileKernel } = await import('./build-kernel.mjs'); console.log(await compileKernel())";
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', print], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trimEnd()).toBe(readFileSync(CODE, 'utf8').trimEnd());
});
