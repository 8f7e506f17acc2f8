import { expect, test } from 'vitest';
import { readShard, writeShard } from '../../../data/shards/shard.js';
import { createGame } from '../../../env/games.js';
import { temporaryFolder } from '../temporary-folder.js';
import { writeCarefulShard } from '../../training/network/network-fixtures.js';
import { runGess } from '../../scripts/captured-output.js';

test.each([
  ['study', 'FOLDER'],
  ['tune', '--data', 'FOLDER'],
  ['inspect', 'FOLDER', '--row', '0', '--write', 'game.json'],
])('gess %s names the row of an impossible position', async (...words) => {
  const folder = temporaryFolder();
  const gess = createGame('gess');
  const path = await writeCarefulShard(gess, folder, 1);
  const { metadata, columns } = await readShard(path, gess);
  columns.positions.fill(255, 0, 81);
  await writeShard(path, { metadata, columns });
  await expect(runGess(...words.map((word) => word.replace('FOLDER', folder)))).rejects.toMatchObject({
    code: 'shard-format',
    message: expect.stringContaining(`row 0 of ${path}`) as string,
  });
});
