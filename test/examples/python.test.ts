import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { isLong } from '../long-tests.js';
import { needPackages, root, runPython } from '../python.js';
import { LAUNCHER } from '../scripts/usage/launcher.js';

const run = promisify(execFile);
const folder = join(root, 'python');

// Compiles what has changed, once, before servers start side by side.
beforeAll(() => run(process.execPath, [LAUNCHER, '--version']), 300_000);

/** The output of a Python program in the folder of the package, whether it fails or not. */
async function outputOf(context: TestContext, args: readonly string[]): Promise<string> {
  const packages = ['gess_zero', 'gymnasium', 'mypy', 'numpy', 'pettingzoo', 'PIL', 'pytest', 'resvg_py'];
  await needPackages(context, 'python/requirements.txt', packages);
  return runPython(args, { cwd: folder, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } }).catch(
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

describe.runIf(isLong)('the Python package', { timeout: 600_000 }, () => {
  // PettingZoo plays a few hundred steps of each environment.
  test('passes its tests, those of PettingZoo and Gymnasium among them', async (context) => {
    const stdout = await outputOf(context, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']);
    expect(stdout).toMatch(/^\d+ passed/m);
    expect(stdout).not.toMatch(/failed|error|skipped/);
  });

  test('has no error of types', async (context) => {
    const stdout = await outputOf(context, ['-m', 'mypy', '--cache-dir', '/dev/null']);
    expect(stdout).toMatch(/^Success: no issues found/);
  });
});
