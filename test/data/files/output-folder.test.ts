import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { expectPlaceForOutput } from '../../../data/files/output-folder.js';
import { lockFolder } from '../../../data/files/lock.js';
import { temporaryFolder } from '../temporary-folder.js';

const MODELS = join(import.meta.dirname, '../../../models');

test('a place inside a run is refused: the error names the process of a running run, the folder of a finished one', async () => {
  const folder = temporaryFolder();
  const run = join(folder, 'run');
  await mkdir(join(run, 'data'), { recursive: true });
  await symlink(join(run, 'data'), join(folder, 'link'));
  const inside = [join(run, 'x'), join(run, 'data', 'a', 'b'), join(folder, 'link', 'a')];
  const lock = await lockFolder(run);
  // Other folders are locked too.
  for (const path of inside) await expectPlaceForOutput(path, 'checkpoint');
  await writeFile(join(run, 'run.json'), '{"runVersion":1}');
  const message = expect.stringContaining(run) as string;
  for (const path of inside) {
    await expect(expectPlaceForOutput(path, 'checkpoint')).rejects.toMatchObject({
      code: 'run-locked',
      message,
    });
  }
  lock.release();
  for (const path of inside) {
    await expect(expectPlaceForOutput(path, 'checkpoint')).rejects.toMatchObject({
      code: 'output-misplaced',
      message,
    });
  }
  await expectPlaceForOutput(join(folder, 'other'), 'checkpoint');
  await expectPlaceForOutput(run, 'run');
  await expect(expectPlaceForOutput(run, 'dataset')).rejects.toMatchObject({ code: 'output-misplaced' });
});

test.each(['shard-000000.arrow', 'shard-000123.arrow'])(
  'a place inside a folder of shards is refused: %s',
  async (name) => {
    const shards = temporaryFolder();
    await writeFile(join(shards, name), '');
    await expectPlaceForOutput(shards, 'dataset');
    for (const own of ['dataset', 'run', null] as const) {
      await expect(expectPlaceForOutput(join(shards, 'new'), own)).rejects.toMatchObject({
        code: 'output-misplaced',
      });
    }
  },
);

test("a path with '..' after a link is refused where text and system disagree", async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'run', 'checkpoints'), { recursive: true });
  await writeFile(join(folder, 'run', 'run.json'), '{"runVersion":1}');
  await symlink(join('run', 'checkpoints'), join(folder, 'link'));
  await symlink('run', join(folder, 'beside'));
  await expect(expectPlaceForOutput(`${folder}/link/../run.json`, null)).rejects.toMatchObject({
    code: 'output-misplaced',
    message: expect.stringContaining(join(folder, 'run', 'run.json')) as string,
  });
  await expectPlaceForOutput(`${folder}/beside/../new.json`, null);
  await expectPlaceForOutput(`${folder}/missing/../new.json`, null);
});

test('a place where no folder can be made is refused before the work', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  for (const path of [join(folder, 'file'), join(folder, 'file', 'new'), join(folder, 'n'.repeat(300))]) {
    await expect(expectPlaceForOutput(path, 'checkpoint')).rejects.toMatchObject({ code: 'write-failed' });
  }
  await expectPlaceForOutput(join(folder, 'new', 'folder'), 'checkpoint');
});

test('a symbolic link that leads nowhere is refused before the work', async () => {
  const folder = temporaryFolder();
  const link = join(folder, 'link');
  await symlink('nowhere', link);
  for (const [path, own] of [
    [link, 'dataset'],
    [link, null],
    [join(link, 'new'), 'run'],
    [join(link, 'new.json'), null],
  ] as const) {
    await expect(expectPlaceForOutput(path, own)).rejects.toMatchObject({
      code: 'write-failed',
      message: expect.stringContaining('a symbolic link') as string,
    });
  }
  await mkdir(join(folder, 'nowhere'));
  await expectPlaceForOutput(link, 'dataset');
});

test.each([
  ['an exported model', join(MODELS, 'gess')],
  ['a checkpoint', join(MODELS, 'gess', 'checkpoint')],
])('a place inside %s is refused', async (_, folder) => {
  for (const path of [folder, join(folder, 'new'), join(folder, 'a', 'b')]) {
    await expect(expectPlaceForOutput(path, 'dataset')).rejects.toMatchObject({ code: 'output-misplaced' });
  }
});

test.each([
  ['dataset.json', '{"datasetVersion":1}', 'dataset'],
  ['match.json', '{"agent":"random","opponent":"careful"}', 'match'],
] as const)('a folder with %s is refused but for its own kind', async (name, text, own) => {
  const folder = temporaryFolder();
  await writeFile(join(folder, name), text);
  await expectPlaceForOutput(folder, own);
  await expect(expectPlaceForOutput(folder, 'run')).rejects.toMatchObject({ code: 'output-misplaced' });
  await expect(expectPlaceForOutput(join(folder, 'new'), own)).rejects.toMatchObject({
    code: 'output-misplaced',
  });
});

test('files of other programs with the same names do not count', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'manifest.json'), '{"name":"web app"}');
  await writeFile(join(folder, 'spec.json'), '[]');
  await mkdir(join(folder, 'run.json'));
  await expectPlaceForOutput(join(folder, 'new'), 'dataset');
  await expectPlaceForOutput(join(dirname(folder), 'none', 'new'), 'dataset');
});

test('a damaged run counts as a run, but a folder with a configuration named run.json does not', async () => {
  const run = temporaryFolder();
  await writeFile(join(run, 'run.json'), '{"seed":1}');
  await expectPlaceForOutput(join(run, 'games'), 'dataset');
  await mkdir(join(run, 'checkpoints'));
  await expect(expectPlaceForOutput(join(run, 'games'), 'dataset')).rejects.toMatchObject({
    code: 'output-misplaced',
  });
});
