import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { expectNoFile, expectPlaceForOutput } from '../../../data/files/output-folder.js';
import { lockRun } from '../../../data/files/run-lock.js';
import { temporaryFolder } from '../temporary-folder.js';

const MODELS = join(import.meta.dirname, '../../../models');

test('a place inside a run is refused: the error names the process of a running run, the folder of a finished one', async () => {
  const folder = temporaryFolder();
  const run = join(folder, 'run');
  await mkdir(join(run, 'data'), { recursive: true });
  await symlink(join(run, 'data'), join(folder, 'link'));
  const inside = [join(run, 'x'), join(run, 'data', 'a', 'b'), join(folder, 'link', 'a')];
  const lock = await lockRun(run);
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
  await lock.release();
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

test('a file of a run is not replaced, even if asked to, but its report and its curves are', async () => {
  const run = temporaryFolder();
  await mkdir(join(run, 'checkpoints'));
  for (const name of ['run.json', 'metrics.jsonl', 'report.html', 'curves.svg']) {
    await writeFile(join(run, name), '{"runVersion":1}');
    await expect(expectNoFile(join(run, name), false)).rejects.toMatchObject({ code: 'file-exists' });
  }
  for (const name of ['run.json', 'metrics.jsonl']) {
    await expect(expectNoFile(join(run, name), true)).rejects.toMatchObject({ code: 'output-misplaced' });
  }
  for (const name of ['report.html', 'curves.svg', 'new.json']) await expectNoFile(join(run, name), true);
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
      await expect(expectNoFile(path, overwrite)).rejects.toMatchObject({ code: 'write-failed' });
    }
  }
  await expectNoFile(join(folder, 'new', 'folder', 'page.html'), undefined);
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
