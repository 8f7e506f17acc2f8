import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { needPackages, root, runPython } from '../python.js';

const run = promisify(execFile);

// PettingZoo plays a few hundred steps of each environment, through processes of Node.
test(
  'PettingZoo and Gymnasium accept the classes of examples/python',
  { timeout: 300_000 },
  async (context) => {
    const packages = ['gymnasium', 'numpy', 'pettingzoo', 'pytest'];
    await needPackages(context, 'examples/python/requirements.txt', packages);
    // Compiles what has changed, once, before servers start side by side.
    await run(process.execPath, [join(root, 'scripts', 'launch.mjs'), '--version']);
    const folder = join(root, 'examples', 'python');
    const stdout = await runPython(['-m', 'pytest', '-q', '-p', 'no:cacheprovider', folder], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    }).catch((error: unknown) => (error as { stdout: string }).stdout);
    expect(stdout).toMatch(/^\d+ passed/m);
    expect(stdout).not.toMatch(/failed|error|skipped/);
  },
);
