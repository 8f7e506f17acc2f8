import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'environments.md'), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'gess-environments-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('the program about spaces prints what the page says', async () => {
  const program = /^## Spaces$[^]*?```ts\n([^]*?)```/m.exec(page)![1]!;
  const path = join(folder, 'program.ts');
  writeFileSync(path, program.replaceAll(/'gess-zero\/(env\/[^']+)'/g, `'${root}/$1.js'`));
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    printed.push(values.join(' '));
  });
  try {
    await import(path);
  } finally {
    log.mockRestore();
  }
  expect(printed).toEqual(['true true', 'false', 'expected a number 0 to 1, got 2', 'true']);
  for (const line of printed) expect(page).toContain(`\`${line}\``);
});
