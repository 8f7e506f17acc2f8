import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { shardName } from '../../data/arrow-names.js';
import type { Sample } from '../../data/shards/sample.js';
import { columnsOf } from '../../data/shards/shard-columns.js';
import { writeShard } from '../../data/shards/shard.js';
import { createGame } from '../../env/games.js';
import { temporaryFolder } from './temporary-folder.js';

/** Writes a shard of one row, the first position of Gess, to a new folder. */
export async function gessShard(
  change: (sample: Sample) => Sample = (sample) => sample,
): Promise<{ readonly folder: string; readonly path: string }> {
  const game = createGame('gess');
  const state = game.initialState();
  const buffer = new Int32Array(game.maxLegalActions);
  const actions = Uint16Array.from(buffer.subarray(0, game.legalActions(state, buffer)));
  const position = new Uint8Array(game.packedSize);
  game.pack(state, position, 0);
  const sample: Sample = {
    position,
    actions,
    ...{ player: 0, ply: 0, pliesLeft: 9, result: 1, gameId: 0, played: null, finalPosition: null },
    ...{
      policy: Float32Array.from(actions, (_, index) => (index === 0 ? 1 : 0)),
      policyWeight: 1,
      searchSize: 8,
    },
    ...{ rootValue: 0.5, surprise: null },
  };
  const { id, rules, rulesVersion, encodingVersion } = game;
  const metadata = {
    ...{ game: id, rules, rulesVersion, encodingVersion },
    ...{ seed: 1, generation: 0, configDigest: 'ab'.repeat(32), softwareVersion: '1.0.0' },
  };
  const folder = join(temporaryFolder(), 'games');
  const path = join(folder, shardName(0));
  mkdirSync(folder);
  await writeShard(path, { columns: columnsOf([change(sample)], game.packedSize), metadata });
  return { folder, path };
}
