import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  claimOutputFile,
  claimOutputFiles,
  expectPlaceForFile,
  writeOutputFile,
} from '../../../data/files/output-file.js';
import { temporaryFolder } from '../temporary-folder.js';

test('no file is written or replaced in a run, even if asked to, but its report and its curves are', async () => {
  const run = temporaryFolder();
  await mkdir(join(run, 'checkpoints'));
  for (const name of ['run.json', 'metrics.jsonl', 'report.html', 'curves.svg']) {
    await writeFile(join(run, name), '{"runVersion":1}');
    await expect(expectPlaceForFile(join(run, name), false)).rejects.toMatchObject({ code: 'file-exists' });
  }
  for (const name of ['run.json', 'metrics.jsonl', 'evaluations.jsonl', 'new.json']) {
    await expect(expectPlaceForFile(join(run, name), true)).rejects.toMatchObject({
      code: 'output-misplaced',
    });
  }
  for (const name of ['report.html', 'curves.svg']) await expectPlaceForFile(join(run, name), true);
  await expectPlaceForFile(join(run, 'new.svg'), false);
});

test('a place where no file can be made is refused before the work', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await symlink('nowhere', join(folder, 'link.html'));
  const refused = [
    join(folder, 'file', 'page.html'),
    join(folder, 'link.html'),
    join(folder, 'n'.repeat(300)),
  ];
  await mkdir(join(folder, 'closed'));
  await chmod(join(folder, 'closed'), 0o500);
  // Root may write everywhere.
  if (process.getuid?.() !== 0) refused.push(join(folder, 'closed', 'new', 'page.html'));
  for (const path of refused) {
    for (const overwrite of [true, undefined]) {
      await expect(expectPlaceForFile(path, overwrite)).rejects.toMatchObject({ code: 'write-failed' });
    }
  }
});

test.each([
  'page.html',
  'missing/folder/book.json',
  'missing/../problems.json',
  `${'long-é'.repeat(35)}.json`,
])('a file is written, and written again, where it may be: %s', async (name) => {
  const folder = temporaryFolder();
  const path = `${folder}/${name}`;
  for (const text of ['first', 'second']) {
    const lock = await claimOutputFile(path, text === 'second');
    await writeOutputFile(path, text, text === 'second');
    lock.release();
    expect(await readFile(join(path), 'utf8')).toBe(text);
  }
  expect(await readdir(join(path, '..'))).toEqual([name.split('/').at(-1)]);
});

test('of several writers of a file, one begins', async () => {
  const path = join(temporaryFolder(), 'book.json');
  const claims = await Promise.allSettled(Array.from({ length: 5 }, () => claimOutputFile(path, false)));
  const locks = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []));
  expect(locks).toHaveLength(1);
  await expect(claimOutputFile(path, true)).rejects.toMatchObject({
    code: 'run-locked',
    message: expect.stringContaining(path) as string,
  });
  // Other files of the folder are free.
  (await claimOutputFile(`${path}2`, false)).release();
  locks[0]!.release();
  (await claimOutputFile(path, false)).release();
});

test('a file that appears during the work is replaced only by permission', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'page.html');
  const texts = ['one', 'two', 'three'];
  const written = await Promise.allSettled(texts.map((text) => writeOutputFile(path, text, undefined)));
  const winners = texts.filter((_text, index) => written[index]!.status === 'fulfilled');
  expect(winners).toHaveLength(1);
  expect(written.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'file-exists', message: expect.stringContaining(path) as string },
  });
  expect(await readFile(path, 'utf8')).toBe(winners[0]);
  await Promise.all(texts.map((text) => writeOutputFile(path, text, true)));
  expect(texts).toContain(await readFile(path, 'utf8'));
  expect(await readdir(folder)).toEqual(['page.html']);
});

test('claims of several files are all or none', async () => {
  const folder = temporaryFolder();
  const [first, second] = [join(folder, 'game.json'), join(folder, 'page.html')];
  const held = await claimOutputFile(second, false);
  await expect(claimOutputFiles([first, undefined, second], false)).rejects.toMatchObject({
    code: 'run-locked',
  });
  held.release();
  const lock = await claimOutputFiles([first, second], false);
  await expect(claimOutputFile(first, false)).rejects.toMatchObject({ code: 'run-locked' });
  lock.release();
  expect(await readdir(folder)).toEqual([]);
});
