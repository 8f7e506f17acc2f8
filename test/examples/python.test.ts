import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The Python of the virtual environment that examples/python/README.md makes, else that of the system. */
const venv = join(root, '.venv', 'bin', 'python');
const python = existsSync(venv) ? venv : 'python3';

async function hasPackages(): Promise<boolean> {
  return run(python, ['-c', 'import gymnasium, numpy, pettingzoo, pytest']).then(
    () => true,
    () => false,
  );
}

// PettingZoo plays a few hundred steps of each environment, through processes of Node.
test(
  'PettingZoo and Gymnasium accept the classes of examples/python',
  { timeout: 300_000 },
  async (context) => {
    const isThere = await hasPackages();
    if (process.env['CI'] === 'true') {
      expect(isThere, 'the packages of examples/python/requirements.txt').toBe(true);
    } else if (!isThere) {
      context.skip('without the packages of examples/python/requirements.txt (examples/python/README.md)');
    }
    // Compiles what has changed, once, before servers start side by side.
    await run(process.execPath, [join(root, 'scripts', 'launch.mjs'), '--version']);
    const { stdout } = await run(
      python,
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(root, 'examples', 'python')],
      { env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } },
    ).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toMatch(/^\d+ passed/m);
    expect(stdout).not.toMatch(/failed|error|skipped/);
  },
);
