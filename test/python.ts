import { execFile, type ExecFileOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, type TestContext } from 'vitest';

const run = promisify(execFile);

/** The folder of the repository. */
export const root = resolve(import.meta.dirname, '..');

/** The Python of the virtual environment that python/README.md makes, else that of the system. */
const venv = join(root, '.venv', 'bin', 'python');
const python = existsSync(venv) ? venv : 'python3';

/** The standard output of a Python program. */
export async function runPython(args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  const { stdout } = await run(python, [...args], { maxBuffer: 2 ** 26, ...options });
  return stdout.toString();
}

/**
 * Skips the test if Python lacks packages of a requirements file; in CI, which installs them, the test fails
 * instead.
 */
export async function needPackages(
  context: TestContext,
  requirements: string,
  packages: readonly string[],
): Promise<void> {
  const isThere = await runPython(['-c', `import ${packages.join(', ')}`]).then(
    () => true,
    () => false,
  );
  if (process.env['CI'] === 'true') expect(isThere, `the packages of ${requirements}`).toBe(true);
  else if (!isThere) context.skip(`without the packages of ${requirements} (python/README.md)`);
}
