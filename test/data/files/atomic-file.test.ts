import { spawnSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  makeFolder,
  removeFile,
  removeStaleTemporaries,
  writeFileAtomic,
  writeFolderAtomic,
} from '../../../data/files/atomic-file.js';
import { expectPlaceForFile } from '../../../data/files/output-file.js';
import { temporaryFolder } from '../temporary-folder.js';
import { builtModule } from '../../package/built-module.js';

/** No process has this number: it is above Linux's greatest. */
const DEAD_PID = 2 ** 22 + 1;

test('writes and overwrites whole files, and leaves no temporary', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'a.json');
  await writeFileAtomic(path, 'first');
  await writeFileAtomic(path, Uint8Array.of(104, 105));
  expect(await readFile(path, 'utf8')).toBe('hi');
  expect(await readdir(folder)).toEqual(['a.json']);
});

test('reports the file that cannot be written, and leaves no temporary', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'taken'));
  const path = join(folder, 'taken');
  await expect(writeFileAtomic(path, 'x')).rejects.toMatchObject({
    code: 'write-failed',
    message: expect.stringContaining(path) as string,
  });
  expect(await readdir(folder)).toEqual(['taken']);
  await writeFile(join(folder, 'taken', 'plain'), '');
  await expect(writeFileAtomic(join(folder, 'taken', 'plain', 'a'), 'x')).rejects.toMatchObject({
    code: 'write-failed',
    message: expect.stringContaining('ENOTDIR') as string,
  });
  await expect(writeFileAtomic(join(folder, 'no', 'a'), 'x')).rejects.toMatchObject({
    code: 'write-failed',
  });
});

test('does not replace a pipe, or a link such as /dev/stdout, by a file', async () => {
  const folder = temporaryFolder();
  const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')];
  spawnSync('mkfifo', [pipe]);
  await symlink('/dev/null', link);
  for (const [path, kind] of [
    [pipe, 'a pipe'],
    [link, 'a symbolic link'],
  ] as const) {
    const refusal = { code: 'write-failed', message: expect.stringContaining(`found ${kind}`) as string };
    await expect(writeFileAtomic(path, 'x')).rejects.toMatchObject(refusal);
    await expect(expectPlaceForFile(path, true)).rejects.toMatchObject(refusal);
  }
  expect((await readdir(folder)).sort()).toEqual(['link', 'pipe']);
  expect((await lstat(pipe)).isFIFO() && (await lstat(link)).isSymbolicLink()).toBe(true);
});

test('removes a file that exists, and reports one that cannot be removed', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'a.json');
  await writeFile(path, '');
  for (let time = 0; time < 2; time++) await removeFile(path);
  await removeFile(join(folder, 'none', 'a.json'));
  expect(await readdir(folder)).toEqual([]);
  await mkdir(path);
  await expect(removeFile(path)).rejects.toMatchObject({
    code: 'write-failed',
    message: expect.stringContaining(path) as string,
  });
});

test('makes folders with their parents, and reports impossible ones', async () => {
  const folder = temporaryFolder();
  const deep = join(folder, 'a', 'b', 'c');
  for (let time = 0; time < 2; time++) await makeFolder(deep);
  expect((await stat(deep)).isDirectory()).toBe(true);
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'nowhere'), join(folder, 'link'));
  for (const taken of ['file', 'file/a', 'link', 'link/a/b']) {
    await expect(makeFolder(join(folder, taken))).rejects.toMatchObject({ code: 'write-failed' });
  }
});

test('makes a folder whose parent is made meanwhile', async () => {
  const parent = join(temporaryFolder(), 'parent');
  // Its first attempt comes before the parent, its look at the parent after it.
  const made = makeFolder(join(parent, 'folder'));
  await mkdir(parent);
  await made;
  expect((await stat(join(parent, 'folder'))).isDirectory()).toBe(true);
});

test.runIf(process.platform === 'linux')(
  'terminates if the system denies that an existing folder exists',
  { timeout: 5000 },
  async () => {
    for (const path of ['/proc/x', '/proc/x/y/z']) {
      await expect(makeFolder(path)).rejects.toMatchObject({
        code: 'write-failed',
        message: `cannot write ${path}: ENOENT`,
      });
    }
  },
);

test('without space the old file remains, no temporary is left, and the error is disk-full', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'big');
  await writeFile(path, 'old');
  // A limit of the size of files stands in for a full disk: the system refuses in the middle of writing.
  const program = `
    process.on('SIGXFSZ', () => {});
    const { writeFileAtomic } = await import(${JSON.stringify(builtModule('data/files/atomic-file.js'))});
    await writeFileAtomic(${JSON.stringify(path)}, new Uint8Array(1 << 20)).catch((error) => console.log(error.code, error.message));
  `;
  const { stdout } = spawnSync(
    'bash',
    ['-c', 'ulimit -f 64; exec "$0" --input-type=module -e "$1"', process.execPath, program],
    { encoding: 'utf8' },
  );
  expect(stdout).toMatch(/^disk-full no room to write .*big \(EFBIG\)/);
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['big']);
});

test('removes the temporaries of ended processes, and nothing else', async () => {
  const folder = temporaryFolder();
  const own = `.a.json.${String(process.pid)}-${await ownStartTime()}-9.tmp`;
  const reused = `.a.json.${String(process.pid)}-1-9.tmp`;
  const dead = `.a.json.${String(DEAD_PID)}-1-1.tmp`;
  const other = `.b.json.${String(DEAD_PID)}-1-1.tmp`;
  for (const name of [own, reused, dead, other, '.tmp', 'a.tmp']) await writeFile(join(folder, name), '');
  await writeFileAtomic(join(folder, 'a.json'), 'x');
  expect((await readdir(folder)).sort()).toEqual([own, other, '.tmp', 'a.json', 'a.tmp'].sort());
  await removeStaleTemporaries(folder);
  expect((await readdir(folder)).sort()).toEqual([own, '.tmp', 'a.json', 'a.tmp'].sort());
});

async function ownStartTime(): Promise<string> {
  const stat = await readFile('/proc/self/stat', 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
}

test('a folder that another process made meanwhile stays, with a code', async () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'export');
  const late = writeFolderAtomic(folder, async (temporary) => {
    await writeFile(join(temporary, 'ours'), '');
    await mkdir(folder);
    await writeFile(join(folder, 'theirs'), '');
  });
  await expect(late).rejects.toMatchObject({
    code: 'file-exists',
    message: expect.stringContaining(folder) as string,
  });
  expect(await readdir(folder)).toEqual(['theirs']);
  expect(await readdir(parent)).toEqual(['export']);
});
