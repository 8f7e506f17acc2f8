import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listDatasetShards } from '../../../data/datasets/dataset-folder.js';
import { arrowManifestPath } from '../../../data/arrow-names.js';
import { verifyFiles } from '../../../data/verification.js';
import { FIXTURE_SHARD } from '../fixture-shard.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Puts a shard into a new folder. */
function addShard(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of [FIXTURE_SHARD, arrowManifestPath(FIXTURE_SHARD)]) {
    cpSync(path, join(folder, path === FIXTURE_SHARD ? 'shard.arrow' : 'shard.json'));
  }
}

/** Paths of the shards of a dataset, relative to its folder. */
async function shardsOf(dataset: string): Promise<readonly string[]> {
  return (await listDatasetShards(dataset)).map((path) => relative(dataset, path));
}

describe('a dataset with symbolic links', () => {
  test('has the shards of the folders that they lead to, also for a verification', async () => {
    const [dataset, elsewhere] = [temporaryFolder(), temporaryFolder()];
    addShard(join(dataset, 'a'));
    addShard(join(elsewhere, 'deep'));
    symlinkSync(elsewhere, join(dataset, 'b'));
    expect(await shardsOf(dataset)).toEqual([join('a', 'shard.arrow'), join('b', 'deep', 'shard.arrow')]);
    expect(await verifyFiles(dataset, { deep: false })).toMatchObject({
      files: 4,
      problems: [],
      unchecked: [],
    });
    writeFileSync(join(elsewhere, 'deep', 'shard.arrow'), 'altered');
    expect((await verifyFiles(dataset, { deep: false })).problems).toMatchObject([{ code: 'file-cut' }]);
  });

  test('has each shard once, even if links lead in a circle', async () => {
    const [dataset, elsewhere] = [temporaryFolder(), temporaryFolder()];
    addShard(dataset);
    addShard(elsewhere);
    for (const name of ['a', 'b']) symlinkSync(elsewhere, join(dataset, name));
    symlinkSync(dataset, join(elsewhere, 'back'));
    expect(await shardsOf(dataset)).toEqual(['shard.arrow', join('a', 'shard.arrow')]);
    expect(await verifyFiles(dataset, { deep: false })).toMatchObject({ files: 4, problems: [] });
  });

  // A folder above may hold other data.
  test.each([
    ['nowhere', 'gone', 'file-missing'],
    ['to itself', 'link', 'file-unreadable'],
    ['to the folder above', '..', 'file-unreadable'],
  ])('is refused if one leads %s', async (_, target, code) => {
    const dataset = join(temporaryFolder(), 'games');
    addShard(dataset);
    const link = join(dataset, 'link');
    symlinkSync(target, link);
    const message = expect.stringContaining(link) as string;
    await expect(listDatasetShards(dataset)).rejects.toMatchObject({ code, message });
    expect((await verifyFiles(dataset, { deep: false })).problems).toEqual([{ path: link, code, message }]);
  });

  test('does not follow hidden ones', async () => {
    const dataset = temporaryFolder();
    addShard(dataset);
    symlinkSync('gone', join(dataset, '.lock'));
    expect(await shardsOf(dataset)).toEqual(['shard.arrow']);
  });
});
