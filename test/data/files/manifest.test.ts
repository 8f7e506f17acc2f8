import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifest, readWithManifest, writeWithManifest } from '../../../data/files/manifest.js';
import { sealJson } from '../../../data/files/sealed-json.js';
import { temporaryFolder } from '../temporary-folder.js';

const CONTENTS = new Map<string, string | Uint8Array>([
  ['weights.bin', Uint8Array.of(1, 2, 3)],
  ['model.json', '{"é": 1}'],
]);

async function written(): Promise<{ folder: string; path: string }> {
  const folder = temporaryFolder();
  const path = join(folder, 'manifest.json');
  await writeWithManifest(path, CONTENTS, { kind: 'checkpoint', details: { step: 4 } });
  return { folder, path };
}

async function changeManifest(path: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(from);
  await writeFile(path, text.replace(from, to));
}

test('returns the files written and the details', async () => {
  const { path } = await written();
  const { manifest, contents } = await readWithManifest(path, 'checkpoint');
  expect(manifest.details).toEqual({ step: 4 });
  expect([...contents].map(([name, content]) => [name, Buffer.from(content)])).toEqual(
    [...CONTENTS].map(([name, content]) => [name, Buffer.from(content as string)]),
  );
});

describe('is rejected, with the name of the file,', () => {
  test.each([
    ['file-missing', 'weights.bin', (path: string) => rm(path)],
    ['file-cut', 'weights.bin', (path: string) => writeFile(path, Uint8Array.of(1, 2))],
    ['file-cut', 'weights.bin', (path: string) => writeFile(path, Uint8Array.of(1, 2, 3, 4))],
    ['file-altered', 'model.json', (path: string) => writeFile(path, '{"é": 2}')],
    ['manifest-missing', 'manifest.json', (path: string) => rm(path)],
    ['manifest-damaged', 'manifest.json', (path: string) => writeFile(path, '{"manifestVersion"')],
    ['manifest-damaged', 'manifest.json', (path: string) => writeFile(path, '[]')],
    [
      'manifest-too-new',
      'manifest.json',
      (path: string) => changeManifest(path, '"manifestVersion": 1', '"manifestVersion": 2, "new": 1'),
    ],
    [
      'manifest-damaged',
      'manifest.json',
      (path: string) => changeManifest(path, '"weights.bin"', '"../weights.bin"'),
    ],
    [
      'manifest-damaged',
      'manifest.json',
      (path: string) => changeManifest(path, '"weights.bin"', '"__proto__"'),
    ],
    ['manifest-damaged', 'manifest.json', (path: string) => changeManifest(path, 'checkpoint', 'shard')],
  ])('%s of %s', async (code, name, damage) => {
    const { folder, path } = await written();
    await damage(join(folder, name));
    await expect(readWithManifest(path, 'checkpoint')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(join(folder, name)) as string,
    });
  });
});

test.each(['.', '..', '../weights.bin', '__proto__'])(
  'a sealed manifest with the file %s is rejected',
  async (name) => {
    const { path } = await written();
    const manifest = await readManifest(path, 'checkpoint');
    const [entry] = Object.values(manifest.files);
    const files = Object.fromEntries([[name, entry]]);
    await writeFile(path, sealJson({ ...manifest, files }, 'file'));
    await expect(readManifest(path, 'checkpoint')).rejects.toMatchObject({
      code: 'manifest-damaged',
      message: expect.stringContaining('at files') as string,
    });
  },
);

test('reading the manifest alone does not need the files', async () => {
  const { folder, path } = await written();
  await rm(join(folder, 'weights.bin'));
  expect(Object.keys((await readManifest(path, 'checkpoint')).files)).toEqual(['weights.bin', 'model.json']);
});

test('a manifest with any byte changed is rejected', async () => {
  const { path } = await written();
  const bytes = await readFile(path);
  for (let at = 0; at < bytes.length; at += 9) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1;
    await writeFile(path, damaged);
    await expect(readManifest(path, 'checkpoint')).rejects.toMatchObject({
      name: 'DataError',
      message: expect.stringContaining(path) as string,
    });
  }
});

test('a manifest without a checksum of its own is rejected', async () => {
  const { path } = await written();
  await writeFile(path, JSON.stringify(await readManifest(path, 'checkpoint')));
  await expect(readManifest(path, 'checkpoint')).rejects.toMatchObject({ code: 'manifest-damaged' });
});
