import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReplayWindow } from '../../../../data/datasets/replay-window.js';
import { createGame } from '../../../../env/games.js';
import { createRng, restoreRng, type Rng } from '../../../../env/random.js';
import { loadBackend, runningBackend } from '../../../../training/tensorflow/backend.js';
import { readCheckpoint, writeCheckpoint } from '../../../../training/checkpoints/checkpoint-folder.js';
import { LearnerConfig } from '../../../../training/config/groups/learner-config.js';
import { NetworkConfig } from '../../../../training/network/network-config.js';
import { saveFailedBatch } from '../../../../training/learning/failed-batch.js';
import {
  learn,
  startLearner,
  type LearnOptions,
  type LearnResult,
} from '../../../../training/learning/learner.js';
import { createNetwork } from '../../../../training/network/network.js';
import { networkShape } from '../../../../training/network/network-shape.js';
import type { Tensorflow } from '../../../../training/tensorflow/tensorflow.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { writeCarefulShard } from '../../network/network-fixtures.js';
import { onBoth, relativeDifference } from './two-backends.js';

const game = createGame('connect-four');
const config = LearnerConfig.parse({ batchSize: 32, learningRate: 3e-3 });
const folder = mkdtempSync(join(tmpdir(), 'gess-test-'));
let window: ReplayWindow;

beforeAll(async () => {
  const shard = await writeCarefulShard(game, folder, 40);
  window = await ReplayWindow.open([shard], { game, validationShare: 0.2 });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function steps(
  tf: Tensorflow,
  count: number,
  rng: Rng,
  changes: Partial<LearnOptions<unknown>> = {},
): Promise<LearnResult> {
  const network = NetworkConfig.parse({ channels: 8, blocks: 2, globalPoolEvery: 2, movesLeft: true });
  const from = startLearner(createNetwork(networkShape(game, network), createRng(1, 'init')));
  return learn({
    tf,
    game,
    config,
    window,
    from,
    rng,
    steps: count,
    failOnBatch: (failed) => saveFailedBatch(failed, ''),
    ...changes,
  });
}

test('a few steps give the same weights and losses as on native TensorFlow', async () => {
  const [native, wasm] = await onBoth((tf) => steps(tf, 8, createRng(5)));
  expect(relativeDifference(native.network.weights, wasm.network.weights)).toBeLessThan(1e-4);
  expect(relativeDifference(native.optimizer.firstMoment, wasm.optimizer.firstMoment)).toBeLessThan(1e-4);
  const [left, right] = [native.statistics, wasm.statistics];
  expect(right.gradientNorm).toBeCloseTo(left.gradientNorm, 4);
  for (const loss of ['policyLoss', 'valueLoss', 'movesLeftLoss'] as const) {
    expect(right.training[loss]).toBeCloseTo(left.training[loss]!, 4);
    expect(right.validation![loss]).toBeCloseTo(left.validation![loss]!, 4);
  }
});

test('on WebAssembly, learning interrupted by a checkpoint ends with the same bytes and leaves no tensor', async () => {
  const { tf } = await loadBackend('wasm', { threads: 2 });
  await steps(tf, 1, createRng(5));
  const { numTensors, numBytes } = tf.memory();
  const straight = await steps(tf, 9, createRng(5));
  const rng = createRng(5);
  const half = await steps(tf, 4, rng);
  const checkpoint = join(temporaryFolder(), 'gen-000001');
  const about = { generation: 1, game, configDigest: null, softwareVersion: '0.1.0' };
  await writeCheckpoint(checkpoint, { ...about, ...half, learnerRandom: rng.state() });
  const { network, optimizer, average, learnerRandom } = await readCheckpoint(checkpoint);
  const from = { network, optimizer: optimizer!, average };
  const rest = await steps(tf, 5, restoreRng(learnerRandom!), { from });
  expect(rest.network.weights).toEqual(straight.network.weights);
  expect(rest.optimizer).toEqual(straight.optimizer);
  expect(tf.memory()).toMatchObject({ numTensors, numBytes });
});

test('the requested backend is active, whichever one was active before', async () => {
  for (const [choice, expected] of [
    ['wasm', 'wasm'],
    ['auto', 'native'],
    ['wasm', 'wasm'],
    ['native', 'native'],
  ] as const) {
    const { tf, backend, nativeFailure } = await loadBackend(choice, { threads: 2 });
    expect(backend).toBe(expected);
    expect(runningBackend(tf)).toBe(expected);
    expect(nativeFailure).toBeNull();
  }
});
