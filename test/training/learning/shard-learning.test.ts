import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCheckpoint, writeCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { learnFromShards } from '../../../training/learning/shard-learning.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const tf = loadTensorflow({ threads: 2 });
const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');

/** A request for three steps on the stored shard, from the stored checkpoint. */
function threeSteps(out: string): Parameters<typeof learnFromShards>[0] {
  return {
    tf,
    data: [join(FIXTURES, 'shard.arrow')],
    out,
    from: join(FIXTURES, 'checkpoint'),
    config: RunConfig.parse({
      game: { id: 'connect-four' },
      learner: { batchSize: 8, averaging: { kind: 'exponential' } },
      replay: { validationShare: 0, memoryMiB: 0 },
    }),
    seed: undefined,
    steps: 3,
  };
}

test('learning from a stored checkpoint and shard writes the next checkpoint', async () => {
  const out = join(temporaryFolder(), 'gen-000002');
  const request = threeSteps(out);
  const { statistics, generation } = await learnFromShards(request);
  expect(generation).toBe(2);
  expect(statistics.optimizerSteps).toBe(5 + 3);
  expect(statistics.training.policyLoss).toBeGreaterThan(0);
  const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as {
    details: { checkpointVersion: number };
  };
  expect(manifest.details.checkpointVersion).toBe(1);
  expect((await readCheckpoint(out)).average).not.toBeNull();
  await expect(learnFromShards(request)).rejects.toMatchObject({ code: 'checkpoint-exists' });
});

test('of two that would make the same folder, the second is refused before it learns', async () => {
  const folder = temporaryFolder();
  let steps = 0;
  const request = { ...threeSteps(join(folder, 'gen-000002')), onStep: () => void (steps += 1) };
  const [first, second] = await Promise.allSettled([learnFromShards(request), learnFromShards(request)]);
  expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
  const refused = first.status === 'rejected' ? first : (second as PromiseRejectedResult);
  expect(refused.reason).toMatchObject({ code: 'run-locked' });
  expect(steps).toBe(3);
  expect(readdirSync(folder)).toEqual(['gen-000002']);
});

test('a network with infinite values is not written', async () => {
  const folder = temporaryFolder();
  const from = join(folder, 'from');
  const stored = await readCheckpoint(join(FIXTURES, 'checkpoint'));
  // Every weight is finite, and so are the losses of the steps, which use other weights.
  const average = stored.network.weights.map(() => 1e38);
  await writeCheckpoint(from, { ...stored, average });
  const out = join(folder, 'gen-000002');
  const request = threeSteps(out);
  const config = { ...request.config, replay: { ...request.config.replay, validationShare: 0.8 } };
  await expect(learnFromShards({ ...request, from, config })).rejects.toMatchObject({
    code: 'loss-not-finite',
  });
  expect(readdirSync(folder)).toEqual(['from']);
});
