import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  folderBytes,
  isSealed,
  makeSealedFolder,
  removePartialFolders,
  type SealCheck,
} from '../../../../training/tensorflow/native/sealed-folder.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';

function isSealedBy(folder: string, check: SealCheck): Promise<boolean> {
  return isSealed(folder, { check, needed: ['b'] });
}

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

test('a new folder is sealed, alone in its parent, and without scratch files', async () => {
  const parent = temporaryFolder();
  const folder = await sealedFolder(parent);
  expect(await readdir(parent)).toEqual(['sealed']);
  expect((await readdir(folder)).sort()).toEqual(['b', 'inner', 'seal.json']);
  expect(await isSealedBy(folder, 'sizes')).toBe(true);
  expect(await isSealedBy(folder, 'contents')).toBe(true);
});

const EMPTY = { bytes: 0, sha256: createHash('sha256').digest('hex') };
const OF_A = { bytes: 3, sha256: createHash('sha256').update('abc').digest('hex') };

async function replaceByFolder(path: string): Promise<void> {
  await rm(path);
  await mkdir(path);
}

test.each([
  ['a truncated file', (folder: string) => truncate(join(folder, 'inner', 'a'), 2)],
  ['a truncated seal', (folder: string) => truncate(join(folder, 'seal.json'), 40)],
  ['an empty seal', (folder: string) => truncate(join(folder, 'seal.json'))],
  ['a seal without files', (folder: string) => writeFile(join(folder, 'seal.json'), '{"files":{}}')],
  [
    'a seal without a needed file',
    (folder: string) => writeFile(join(folder, 'seal.json'), JSON.stringify({ files: { 'inner/a': OF_A } })),
  ],
  [
    'a seal of a file outside the folder',
    (folder: string) =>
      writeFile(join(folder, 'seal.json'), JSON.stringify({ files: { b: EMPTY, '../sealed/b': EMPTY } })),
  ],
  ['a folder instead of a file', (folder: string) => replaceByFolder(join(folder, 'b'))],
  ['a seal of another form', (folder: string) => writeFile(join(folder, 'seal.json'), '{"files":{"a":1}}')],
])('%s is detected by a check of sizes', async (_name, damage) => {
  const folder = await sealedFolder(temporaryFolder());
  await damage(folder);
  expect(await isSealedBy(folder, 'sizes')).toBe(false);
  expect(await isSealedBy(folder, 'contents')).toBe(false);
});

test('changed content of the same size is detected by a check of contents', async () => {
  const folder = await sealedFolder(temporaryFolder());
  await writeFile(join(folder, 'inner', 'a'), 'abd');
  expect(await isSealedBy(folder, 'sizes')).toBe(true);
  expect(await isSealedBy(folder, 'contents')).toBe(false);
});

test('a seal without files is invalid, even if no file is needed', async () => {
  const folder = await sealedFolder(temporaryFolder());
  await writeFile(join(folder, 'seal.json'), '{"files":{}}');
  expect(await isSealed(folder, { check: 'contents', needed: [] })).toBe(false);
});

const isRoot = process.getuid?.() === 0;
const OTHER_USER = 12345;

test.each(['.', 'inner', 'inner/a', 'b', 'seal.json'])(
  'a folder is not trusted if others can change %s',
  async (name) => {
    const folder = await sealedFolder(temporaryFolder());
    const path = join(folder, name);
    for (const mode of [0o775, 0o757]) {
      await chmod(path, mode);
      const message = expect.stringContaining(
        `${path} is writable by others (mode ${mode.toString(8)})`,
      ) as string;
      await expect(isSealedBy(folder, 'sizes')).rejects.toMatchObject({ code: 'cache-untrusted', message });
    }
    await chmod(path, 0o755);
    expect(await isSealedBy(folder, 'sizes')).toBe(true);
  },
);

test.for(['.', 'inner', 'inner/a'])(
  'a folder is not trusted if another user owns %s',
  async (name, { skip }) => {
    skip(!isRoot, 'only root can give files away');
    const folder = await sealedFolder(temporaryFolder());
    await chown(join(folder, name), OTHER_USER, OTHER_USER);
    await expect(isSealedBy(folder, 'sizes')).rejects.toMatchObject({
      code: 'cache-untrusted',
      message: expect.stringContaining(`is owned by user ${OTHER_USER}`) as string,
    });
  },
);

test('a folder made with a lax umask is closed to others', async () => {
  const umask = process.umask(0);
  onTestFinished(() => {
    process.umask(umask);
  });
  const folder = await sealedFolder(temporaryFolder());
  expect(await isSealedBy(folder, 'contents')).toBe(true);
});

test('a missing folder is not sealed and has no bytes', async () => {
  const folder = join(temporaryFolder(), 'none');
  expect(await isSealedBy(folder, 'sizes')).toBe(false);
  expect(await folderBytes(folder)).toBe(0);
});

test('after a failure only the earlier folder remains', async () => {
  const parent = temporaryFolder();
  const folder = await sealedFolder(parent);
  const failing = makeSealedFolder(folder, async (content) => {
    await writeFile(join(content, 'half'), 'half');
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(await readdir(parent)).toEqual(['sealed']);
  expect(await isSealedBy(folder, 'contents')).toBe(true);
});

test('making a folder again replaces it', async () => {
  const parent = temporaryFolder();
  const folder = await sealedFolder(parent);
  await makeSealedFolder(folder, (content) => writeFile(join(content, 'new'), 'new'));
  expect((await readdir(folder)).sort()).toEqual(['new', 'seal.json']);
  expect(await readFile(join(folder, 'new'), 'utf8')).toBe('new');
  expect(await isSealed(folder, { check: 'contents', needed: ['new'] })).toBe(true);
});

test('only the remains of killed processes are removed', async () => {
  const parent = temporaryFolder();
  const folder = await sealedFolder(parent);
  await mkdir(join(parent, 'partial-sealed-x', 'content'), { recursive: true });
  await writeFile(join(parent, 'other'), '');
  await removePartialFolders(parent);
  expect((await readdir(parent)).sort()).toEqual(['other', 'sealed']);
  expect(await isSealedBy(folder, 'contents')).toBe(true);
});
