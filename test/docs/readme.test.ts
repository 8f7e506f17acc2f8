import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runGess } from '../scripts/captured-output.js';

const root = resolve(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'gess-readme-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The commands of the README without comments; they write to a temporary folder. */
const commands = readme
  .split('\n')
  .filter((line) => line.startsWith('npx gess '))
  .map((line) => line.slice('npx gess '.length).replace(/\s+#.*$/, ''))
  .map((line) => line.replaceAll(' runs/', ` ${folder}/`));

/** The words of a command line; only double quotes are special. */
function words(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain!);
}

describe('the README', () => {
  test('has commands', () => {
    expect(commands.length).toBeGreaterThan(5);
  });

  // `bench` takes a minute, `play` waits for moves; they have their own tests.
  test.each(commands.filter((line) => !/^(bench|play)\b/.test(line)))(
    'gess %s',
    { timeout: 120_000 },
    async (line) => {
      const { results } = await runGess(...words(line));
      expect(results.join('\n')).not.toBe('');
    },
  );
});
