import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import { isLearnt } from '../../../data/shards/sample.js';
import { sampleOf } from '../../../data/shards/shard-columns.js';
import { readShard } from '../../../data/shards/shard.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng } from '../../../env/random.js';
import { TaughtSelfPlayConfig } from '../../../training/config/groups/taught-self-play-config.js';
import { playSelfPlayGames } from '../../../training/self-play/self-play.js';
import type { ShardJob } from '../../../training/self-play/shard-job.js';
import { playShard } from '../../../training/self-play/shard-play.js';
import { Teacher } from '../../../training/self-play/teacher.js';
import type { FinishedGame } from '../../../training/self-play/training-game.js';
import { HashEvaluator } from '../../agents/evaluators/hash-evaluator.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const AGENT = 'alphabeta:depth=3';
const SEED = 3;
const MODEL = join(import.meta.dirname, '../../../models/connect-four/model-legal.onnx');

const config = TaughtSelfPlayConfig.parse({
  search: { simulations: 8 },
  fullSearchShare: 0.5,
  cheapSimulations: 4,
});

async function play(agent: string | null, concurrentGames = 3): Promise<readonly FinishedGame[]> {
  const teacher = agent === null ? undefined : new Teacher(await createAgent(agent, connectFour), SEED);
  const rules = { game: connectFour, config: { ...config, concurrentGames }, seed: SEED, teacher };
  return playSelfPlayGames(rules, { firstGame: 0, games: 8 }, new HashEvaluator());
}

async function playToFile(teacher: string): Promise<string> {
  const path = join(temporaryFolder(), 'shard-000000.arrow');
  const job: ShardJob = {
    path,
    game: { id: 'connect-four', rules: 'default' },
    source: { kind: 'network', modelPath: MODEL, config: { ...config, teacher } },
    ...{ sourceDigest: '0'.repeat(64), seed: SEED, generation: 1, firstGame: 0, games: 2 },
    softwareVersion: '0.0.0',
  };
  await playShard(job);
  return path;
}

describe('a teacher', () => {
  test('changes the targets of learnt rows only, and no game', async () => {
    const plain = (await play(null)).flatMap(({ samples }) => samples);
    const taught = (await play(AGENT)).flatMap(({ samples }) => samples);
    const agent = await createAgent(AGENT, connectFour);
    expect(taught.length).toBe(plain.length);
    expect(plain.filter(isLearnt).length).toBeGreaterThan(20);
    expect(plain.filter(isLearnt).length).toBeLessThan(plain.length - 20);
    for (const [row, sample] of taught.entries()) {
      if (!isLearnt(plain[row]!)) {
        expect(sample).toEqual(plain[row]);
        continue;
      }
      const state = connectFour.initialState();
      connectFour.unpack(sample.position, 0, state);
      const turn = { state, rng: createRng(SEED, 'teacher', sample.gameId, sample.ply) };
      const [choice] = await agent.chooseAll([turn]);
      const policy = Float32Array.from(sample.actions, (action) => (action === choice!.action ? 1 : 0));
      const targets = { policy, policyWeight: 1, searchSize: 0, surprise: null, rootValue: choice!.value };
      expect(sample).toEqual({ ...plain[row], ...targets });
    }
  });

  test('leaves statistics alone, and judges alike however games are played together', async () => {
    const taught = await play(AGENT);
    expect(taught.map(({ statistics }) => statistics)).toEqual(
      (await play(null)).map(({ statistics }) => statistics),
    );
    expect(await play(AGENT, 8)).toEqual(taught);
  });

  test('is named by the settings of self-play', async () => {
    const { columns } = await readShard(await playToFile(AGENT), connectFour);
    const rows = Array.from({ length: columns.rows }, (_, row) => sampleOf(columns, row));
    const learnt = rows.filter(isLearnt);
    expect(learnt.length).toBeGreaterThan(0);
    expect(learnt.map(({ searchSize, policy }) => [searchSize, Math.max(...policy)])).toEqual(
      learnt.map(() => [0, 1]),
    );
  });

  test('must report values, and be an agent of this program', async () => {
    await expect(playToFile('random')).rejects.toMatchObject({ code: 'agent-value' });
    await expect(playToFile('nobody')).rejects.toMatchObject({ code: 'agent-unknown' });
    expect(TaughtSelfPlayConfig.safeParse({ teacher: 'engine:command=ls' }).success).toBe(false);
  });
});
