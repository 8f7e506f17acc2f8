import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  folderBytes,
  isSealed,
  makeSealedFolder,
  removePartialFolders,
} from '../../../../training/tensorflow/native/sealed-folder.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';

async function sealedFolder(parent: string): Promise<string> {
  const folder = join(parent, 'sealed');
  await makeSealedFolder(folder, async (content, scratch) => {
    await mkdir(join(content, 'inner'));
    await writeFile(join(content, 'inner', 'a'), 'abc');
    await writeFile(join(content, 'b'), '');
    await writeFile(join(scratch, 'c'), 'not kept');
  });
  return folder;
}

test('what was made is sealed, alone in its parent, and without scratch', async () => {
  const parent = temporaryFolder();
  const folder = await sealedFolder(parent);
  expect(await readdir(parent)).toEqual(['sealed']);
  expect((await readdir(folder)).sort()).toEqual(['b', 'inner', 'seal.json']);
  expect(await isSealed(folder, 'sizes')).toBe(true);
  expect(await isSealed(folder, 'contents')).toBe(true);
});

test.each([
  ['a cut file', (folder: string) => truncate(join(folder, 'inner', 'a'), 2)],
  ['a cut seal', (folder: string) => truncate(join(folder, 'seal.json'), 40)],
  ['an empty seal', (folder: string) => truncate(join(folder, 'seal.json'))],
  ['a seal of another form', (folder: string) => writeFile(join(folder, 'seal.json'), '{"files":{"a":1}}')],
])('%s is noticed by sizes alone', async (_name, damage) => {
  const folder = await sealedFolder(temporaryFolder());
  await damage(folder);
  expect(await isSealed(folder, 'sizes')).toBe(false);
  expect(await isSealed(folder, 'contents')).toBe(false);
});

test('another content of the same size is noticed by contents', async () => {
  const folder = await sealedFolder(temporaryFolder());
  await writeFile(join(folder, 'inner', 'a'), 'abd');
  expect(await isSealed(folder, 'sizes')).toBe(true);
  expect(await isSealed(folder, 'contents')).toBe(false);
});

test('a folder that is not there is not sealed and has no bytes', async () => {
  const folder = join(temporaryFolder(), 'none');
  expect(await isSealed(folder, 'sizes')).toBe(false);
  expect(await folderBytes(folder)).toBe(0);
});

test('what fails half-way leaves the earlier folder and nothing else', async () => {
  const parent = temporaryFolder();
  const folder = await sealedFolder(parent);
  const failing = makeSealedFolder(folder, async (content) => {
    await writeFile(join(content, 'half'), 'half');
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(await readdir(parent)).toEqual(['sealed']);
  expect(await isSealed(folder, 'contents')).toBe(true);
});

test('making a folder again replaces it', async () => {
  const parent = temporaryFolder();
  const folder = await sealedFolder(parent);
  await makeSealedFolder(folder, (content) => writeFile(join(content, 'new'), 'new'));
  expect((await readdir(folder)).sort()).toEqual(['new', 'seal.json']);
  expect(await readFile(join(folder, 'new'), 'utf8')).toBe('new');
  expect(await isSealed(folder, 'contents')).toBe(true);
});

test('what killed makers left is removed, and nothing else', async () => {
  const parent = temporaryFolder();
  const folder = await sealedFolder(parent);
  await mkdir(join(parent, 'partial-sealed-x', 'content'), { recursive: true });
  await writeFile(join(parent, 'other'), '');
  await removePartialFolders(parent);
  expect((await readdir(parent)).sort()).toEqual(['other', 'sealed']);
  expect(await isSealed(folder, 'contents')).toBe(true);
});
