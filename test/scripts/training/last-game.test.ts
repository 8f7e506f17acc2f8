import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LastGameReader } from '../../../scripts/training/last-game.js';
import { evaluationsPerSecond, gamesPerSecond } from '../../../scripts/training/run-figures.js';
import type { RunMoment } from '../../../scripts/training/run-reader.js';
import { makeFolder } from '../../../data/files/atomic-file.js';
import { writeShard } from '../../../data/shards/shard.js';
import { createGame } from '../../../env/games.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { runPaths } from '../../../training/run/run-paths.js';
import { TrainingGame } from '../../../training/self-play/training-game.js';
import { shardOf } from '../../../training/self-play/shard-content.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { metricsRecord } from '../../training/run/record-fixtures.js';

const game = createGame('connect-four');

/** The text about a game of three moves, which a player then resigns, or which is adjudicated by its values. */
async function textOf(end: (record: TrainingGame<unknown>) => void): Promise<string | undefined> {
  const record = new TrainingGame(game, 0);
  for (const move of ['3', '3', '4']) {
    const legal = new Int32Array(game.maxLegalActions);
    const actions = Uint16Array.from(legal.subarray(0, game.legalActions(record.state, legal)));
    const policy = new Float32Array(actions.length).fill(1 / actions.length);
    const search = { policyWeight: 1, rootValue: 0, searchSize: 16, surprise: null };
    record.playDecision(game.parseAction(move), { actions, policy, ...search });
  }
  end(record);
  const paths = runPaths(join(temporaryFolder(), 'run'));
  const origin = { seed: 1, generation: 1, sourceDigest: 'ab'.repeat(32), softwareVersion: '1.0.0' };
  await makeFolder(paths.data(1));
  await writeShard(join(paths.data(1), 'shard-000000.arrow'), shardOf(game, origin, [record.finish(0)]));
  return (await new LastGameReader(paths, game).read())?.text;
}

test('a game that ended before its last position was decided has its result', async () => {
  const [first] = game.playerNames;
  expect(
    await textOf((record) => {
      record.resign();
    }),
  ).toBe(`${first} won in 3 plies`);
  expect(
    await textOf((record) => {
      record.adjudicate(2);
    }),
  ).toBe('drawn in 3 plies');
  expect(await textOf(() => undefined)).toBe('ended without a result in 3 plies');
});

test('the rates of a run count the processes of all machines', () => {
  const config = RunConfig.parse({ game: { id: 'connect-four' }, selfPlay: { processes: 2 } });
  const record = metricsRecord(1);
  const effort = { seconds: 10, networkEvaluations: 1000, cacheHits: 0 };
  const machines = { workers: 3, processes: 6, games: 5, failures: 0, suspended: 0 };
  const ratesOf = (metrics: RunMoment['metrics']): readonly (number | null)[] => {
    const moment = { metrics, config } as RunMoment;
    return [evaluationsPerSecond(moment), gamesPerSecond(moment)];
  };
  expect(ratesOf([{ ...record, effort }])).toEqual([200, record.games.games / 5]);
  expect(ratesOf([{ ...record, effort, machines }])).toEqual([800, (record.games.games / 10) * 8]);
});
