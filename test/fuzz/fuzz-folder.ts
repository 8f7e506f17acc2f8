import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Creates a folder for the targets of a test file, which is removed after the last target. */
export function fuzzFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gess-fuzz-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}
