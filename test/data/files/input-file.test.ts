import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openInputSync, readInput, readInputIfThere } from '../../../data/files/input-file.js';
import { kindOfName, MAX_BYTES } from '../../../data/files/size-limits.js';
import { temporaryFolder } from '../temporary-folder.js';

const refusal = (code: string, ...texts: string[]): object => ({
  code,
  message: expect.stringMatching(new RegExp(texts.join('.*'))) as string,
});

test('a regular file is read, an empty one too', async () => {
  const path = join(temporaryFolder(), 'a.json');
  writeFileSync(path, 'text');
  expect((await readInput(path, 'config')).toString()).toBe('text');
  writeFileSync(path, '');
  expect(await readInput(path, 'config')).toHaveLength(0);
});

describe('is refused at once:', () => {
  test('a pipe that nobody writes', async () => {
    const path = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [path]);
    await expect(readInput(path, 'config')).rejects.toMatchObject(refusal('file-unreadable', path, 'a pipe'));
    expect(() => openInputSync(path, 'shard')).toThrow(
      expect.objectContaining(refusal('file-unreadable', path)),
    );
  });

  test('an endless device, directly and through a link', async () => {
    const link = join(temporaryFolder(), 'link');
    symlinkSync('/dev/zero', link);
    for (const path of [link, '/dev/zero']) {
      const error = refusal('file-unreadable', path, 'a device');
      await expect(readInput(path, 'shard')).rejects.toMatchObject(error);
    }
  });

  test('a socket', async () => {
    const path = join(temporaryFolder(), 'socket');
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    await expect(readInput(path, 'config')).rejects.toMatchObject(refusal('file-unreadable', path));
  });

  test('a folder', async () => {
    const path = temporaryFolder();
    await expect(readInput(path, 'config')).rejects.toMatchObject(
      refusal('file-unreadable', path, 'a folder'),
    );
  });

  test('links in a loop', async () => {
    const path = join(temporaryFolder(), 'loop');
    symlinkSync(path, path);
    await expect(readInput(path, 'config')).rejects.toMatchObject(refusal('file-unreadable', path, 'ELOOP'));
  });

  test('a name that is too long, or that no file can have', async () => {
    const folder = temporaryFolder();
    const long = join(folder, 'x'.repeat(300));
    await expect(readInput(long, 'config')).rejects.toMatchObject(refusal('file-unreadable', 'ENAMETOOLONG'));
    await expect(readInput(join(folder, 'a\0b'), 'config')).rejects.toMatchObject({
      code: 'file-unreadable',
    });
  });

  test('a missing file, and one whose folder is a file', async () => {
    const path = join(temporaryFolder(), 'none');
    await expect(readInput(path, 'config')).rejects.toMatchObject(refusal('file-missing', path));
    expect(await readInputIfThere(path, 'config')).toBeNull();
    writeFileSync(path, '');
    await expect(readInputIfThere(join(path, 'a'), 'config')).rejects.toMatchObject(
      refusal('file-missing', path),
    );
  });

  test.each(Object.entries(MAX_BYTES))('a file of kind %s with more than %d bytes', async (kind, limit) => {
    const path = join(temporaryFolder(), 'sparse');
    writeFileSync(path, '');
    truncateSync(path, limit + 1);
    const error = refusal('file-too-large', `${limit}`, path, `${limit + 1}`);
    await expect(readInput(path, kind as keyof typeof MAX_BYTES)).rejects.toMatchObject(error);
  });
});

test('no descriptor stays open after a refusal', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'large');
  writeFileSync(path, '');
  truncateSync(path, MAX_BYTES.config + 1);
  mkdirSync(join(folder, 'folder'));
  const openFiles = (): number => readdirSync('/proc/self/fd').length;
  const before = openFiles();
  for (let i = 0; i < 20; i++) {
    await expect(readInput(path, 'config')).rejects.toMatchObject({ code: 'file-too-large' });
    expect(() => openInputSync(join(folder, 'folder'), 'shard')).toThrow();
  }
  expect(openFiles()).toBeLessThan(before + 5);
});

test('files of manifests have a kind by their names', () => {
  expect(
    ['a.arrow', 'weights.bin', 'model.onnx', 'model.json', 'README.md', 'other'].map(kindOfName),
  ).toEqual([...['shard', 'weights', 'model', 'graphModel', 'page', 'weights']]);
});
