import { appendFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { GrowingLines } from '../../../data/files/growing-file.js';
import { readInputIfThere } from '../../../data/files/input-file.js';
import { temporaryFolder } from '../temporary-folder.js';

vi.mock('../../../data/files/input-file.js', { spy: true });

/** A file of two lines, in a folder of its own. */
async function twoLines(): Promise<{ readonly path: string; readonly file: GrowingLines }> {
  const path = join(temporaryFolder(), 'lines');
  const file = new GrowingLines(path, []);
  await file.add('one\n');
  await file.add('two\n');
  return { path, file };
}

test('lines are appended to the same file, which is not read again', async () => {
  const { path, file } = await twoLines();
  const { ino } = statSync(path);
  vi.mocked(readInputIfThere).mockClear();
  await Promise.all([file.add('three\n'), file.add('four\n')]);
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\nfour\n');
  expect(statSync(path).ino).toBe(ino);
  expect(readInputIfThere).not.toHaveBeenCalled();
});

test('a file that is opened again goes on, without its damaged lines', async () => {
  const { path } = await twoLines();
  await new GrowingLines(path, ['one\n', 'two\n']).add('three\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n');
  await new GrowingLines(path, ['one\n', 'three\n']).add('four\n');
  expect(readFileSync(path, 'utf8')).toBe('one\nthree\nfour\n');
});

test.each([
  [
    'has half a line more',
    (path: string): void => {
      appendFileSync(path, 'thr');
    },
  ],
  [
    'is shorter',
    (path: string): void => {
      truncateSync(path, 5);
    },
  ],
  [
    'is gone',
    (path: string): void => {
      rmSync(path);
    },
  ],
])('a file that %s is written anew', async (_, damage) => {
  const { path, file } = await twoLines();
  damage(path);
  await file.add('three\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n');
});

test('a line that could not be written is written with the next one', async () => {
  const { path, file } = await twoLines();
  const folder = dirname(path);
  renameSync(folder, `${folder}-away`);
  await expect(file.add('three\n')).rejects.toMatchObject({ code: 'write-failed' });
  renameSync(`${folder}-away`, folder);
  await file.add('four\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\nfour\n');
});
