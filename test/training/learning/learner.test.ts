import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReplayWindow } from '../../../data/datasets/replay-window.js';
import { createGame } from '../../../env/games.js';
import { createRng, restoreRng, type Rng } from '../../../env/random.js';
import { networkForPlay } from '../../../training/checkpoints/checkpoint.js';
import { readCheckpoint, writeCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import { LearnerConfig } from '../../../training/config/groups/learner-config.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { saveFailedBatch } from '../../../training/learning/failed-batch.js';
import { LEARNER_KIND, resumeLearning } from '../../../training/learning/halfway-folder.js';
import { readWithManifest, writeWithManifest } from '../../../data/files/manifest.js';
import {
  learn,
  startLearner,
  type LearnerState,
  type LearnOptions,
} from '../../../training/learning/learner.js';
import { createNetwork } from '../../../training/network/network.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { verify } from '../../../training/run/run-verification.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { writeCarefulShard } from '../network/network-fixtures.js';

const tf = loadTensorflow({ threads: 2 });
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

function untrained(): LearnerState {
  const shape = networkShape(game, NetworkConfig.parse({ channels: 8, blocks: 1, valueHidden: 8 }));
  return startLearner(createNetwork(shape, createRng(1, 'init')));
}

function options(
  steps: number,
  rng: Rng,
  changes: Partial<LearnOptions<unknown>> = {},
): LearnOptions<unknown> {
  return {
    tf,
    game,
    config,
    window,
    from: untrained(),
    rng,
    steps,
    failOnBatch: (failed) => saveFailedBatch(failed, ''),
    ...changes,
  };
}

test('equal seeds give equal weights, another seed different ones', async () => {
  const run = (seed: number): ReturnType<typeof learn> => learn(options(12, createRng(seed)));
  const [first, second, other] = [await run(5), await run(5), await run(6)];
  expect(second.network.weights).toEqual(first.network.weights);
  expect(second.optimizer).toEqual(first.optimizer);
  expect(other.network.weights).not.toEqual(first.network.weights);
});

test.each([
  ['without averaging', { kind: 'none' }],
  ['with averaging', { kind: 'exponential', decay: 0.9 }],
] as const)(
  '%s, learning that is interrupted by a checkpoint ends with the same bytes',
  async (_, averaging) => {
    const averaged = { config: { ...config, averaging, warmUpSteps: 9 } };
    const straight = await learn(options(14, createRng(5), averaged));
    const rng = createRng(5);
    const half = await learn(options(6, rng, averaged));
    const checkpoint = join(temporaryFolder(), 'gen-000001');
    const about = { generation: 1, game, configDigest: null, softwareVersion: '0.1.0' };
    await writeCheckpoint(checkpoint, { ...about, ...half, learnerRandom: rng.state() });
    const { network, optimizer, average, learnerRandom } = await readCheckpoint(checkpoint);
    const from = { network, optimizer: optimizer!, average };
    const rest = await learn(options(8, restoreRng(learnerRandom!), { from, ...averaged }));
    expect(rest.network.weights).toEqual(straight.network.weights);
    expect(rest.optimizer).toEqual(straight.optimizer);
    expect(rest.average).toEqual(straight.average);
    expect(rest.statistics.optimizerSteps).toBe(14);
  },
);

test('learns the policy of the rows, keeps its initial state unchanged, and leaves no tensor', async () => {
  const from = untrained();
  const weights = from.network.weights.slice();
  await learn(options(2, createRng(5)));
  const before = tf.memory().numTensors;
  const seen: number[] = [];
  const { statistics } = await learn(
    options(150, createRng(5), {
      from,
      // In a mirrored row, the last action would be best.
      config: { ...config, symmetries: false },
      onStep: (step, { policyLoss }) => {
        seen.push(policyLoss!);
        expect(step).toBe(seen.length);
      },
    }),
  );
  expect(tf.memory().numTensors).toBe(before);
  expect(from.network.weights).toEqual(weights);
  expect(from.optimizer.step).toBe(0);
  // Half on the first of seven actions, half spread: an entropy of 1.45; the uniform policy has a loss of ln 7 = 1.95.
  const last = seen.slice(-20);
  expect(seen[0]).toBeGreaterThan(1.85);
  expect(last.reduce((sum, loss) => sum + loss, 0) / last.length).toBeLessThan(1.65);
  expect(statistics).toMatchObject({ steps: 150, samples: 150 * 32, optimizerSteps: 150 });
  expect(statistics.validation!.policyAccuracy).toBeGreaterThan(0.9);
  expect(statistics.validation!.valueLoss).toBeLessThan(1.2);
});

test('a loss that is not finite ends learning and saves the batch in a file', async () => {
  const from = untrained();
  from.network.weights[0] = NaN;
  const failureFolder = temporaryFolder();
  const path = join(failureFolder, 'loss-not-finite-step-1.json');
  await expect(
    learn(
      options(3, createRng(5), { from, failOnBatch: (failed) => saveFailedBatch(failed, failureFolder) }),
    ),
  ).rejects.toMatchObject({
    code: 'loss-not-finite',
    message: expect.stringContaining(path) as string,
  });
  const saved = JSON.parse(readFileSync(path, 'utf8')) as {
    losses: Record<string, string>;
    samples: { position: string; actions: number[] }[];
  };
  expect(saved.losses['policyLoss']).toBe('NaN');
  expect(saved.samples).toHaveLength(32);
  for (const { position, actions } of saved.samples) {
    const state = game.parsePosition(position);
    const legal = new Int32Array(game.maxLegalActions);
    expect(actions).toEqual([...legal.subarray(0, game.legalActions(state, legal))]);
  }
});

test('a signal stops learning after the current step', async () => {
  const controller = new AbortController();
  const onStep = (step: number): void => {
    if (step === 3) controller.abort();
  };
  const { statistics } = await learn(options(50, createRng(5), { onStep, signal: controller.signal }));
  expect(statistics.steps).toBe(3);
});

test('averaged weights play, and are validated and exported with checkpoints', async () => {
  const averaging = { kind: 'exponential', decay: 0.5 } as const;
  const learnt = await learn(options(8, createRng(5), { config: { ...config, averaging } }));
  expect(learnt.average).not.toEqual(learnt.network.weights);
  const { validation, validationOfLast } = learnt.statistics;
  expect(validation!.policyLoss).not.toBe(validationOfLast!.policyLoss);
  const checkpoint = join(temporaryFolder(), 'gen-000001');
  const about = { generation: 1, game, configDigest: null, softwareVersion: '0.1.0', learnerRandom: null };
  await writeCheckpoint(checkpoint, { ...about, ...learnt });
  const read = await readCheckpoint(checkpoint);
  expect(networkForPlay(read).weights).toEqual(learnt.average);
  expect(read.network.weights).toEqual(learnt.network.weights);
  const plain = await learn(options(8, createRng(5)));
  // The learner's own weights are the same without averaging.
  expect(learnt.network.weights).toEqual(plain.network.weights);
});

test('statistics: entropies, gradient noise and calibration are in their ranges', async () => {
  const { statistics } = await learn(
    options(20, createRng(5), { config: { ...config, rateDrops: [{ step: 10, factor: 0.1 }] } }),
  );
  const { training, validation } = statistics;
  expect(training.policyEntropy).toBeGreaterThan(1.2);
  expect(training.policyEntropy).toBeLessThan(Math.log(7) + 1e-5);
  expect(training.targetEntropy).toBeLessThan(training.policyLoss!);
  expect(statistics.learningRate).toBeCloseTo(3e-4, 10);
  expect(statistics.gradientNoiseScale).toBeGreaterThan(0);
  const calibration = validation!.calibration!;
  expect(calibration.bins.reduce((sum, { rows }) => sum + rows, 0)).toBe(calibration.rows);
  expect(calibration.error).toBeLessThan(2);
});

test.each([
  ['without averaging', { kind: 'none' }],
  ['with an average', { kind: 'exponential', decay: 0.9 }],
] as const)(
  '%s, learning that is stopped and resumed ends with the same bytes and statistics',
  async (_, averaging) => {
    const changes = { config: { ...config, averaging, warmUpSteps: 9, finalRateShare: 0.1 } };
    const straight = await learn(options(14, createRng(5), changes));
    const learnt = join(temporaryFolder(), 'learning');
    const learning = { generation: 1, steps: 14, configDigest: '' };
    const stop = new AbortController();
    const first = await learn(
      options(14, createRng(5), {
        ...changes,
        ...(await resumeLearning(learnt, learning, 4)),
        signal: stop.signal,
        onStep: (step) => {
          if (step === 9) stop.abort();
        },
      }),
    );
    expect(first.statistics).toMatchObject({ steps: 9, validation: null });
    expect(readdirSync(learnt)).toEqual(['step-000009']);
    const { halfway, saving } = await resumeLearning(learnt, learning, 4);
    const rng = restoreRng(halfway!.counters.random);
    const steps: number[] = [];
    const rest = await learn(
      options(14, rng, { ...changes, halfway, saving, onStep: (step) => steps.push(step) }),
    );
    expect(steps).toEqual([10, 11, 12, 13, 14]);
    // The last save remains until the run has written the checkpoint.
    expect(readdirSync(learnt)).toEqual(['step-000012']);
    expect(rest.network.weights).toEqual(straight.network.weights);
    expect(rest.optimizer).toEqual(straight.optimizer);
    expect(rest.average).toEqual(straight.average);
    const timeless = { samplesPerSecond: 0, preparationShare: 0 };
    expect({ ...rest.statistics, ...timeless }).toEqual({ ...straight.statistics, ...timeless });
    // A saved learner with another number of steps is not resumed.
    expect((await resumeLearning(learnt, { ...learning, steps: 15 }, 4)).halfway).toBeUndefined();
  },
);

test('learning that is stopped during a save does not save that step again', async () => {
  const stop = new AbortController();
  const saves: number[] = [];
  const saving = {
    every: 2,
    save: ({ counters }: { counters: { step: number } }) => {
      saves.push(counters.step);
      if (counters.step === 4) stop.abort();
      return Promise.resolve();
    },
  };
  await learn(options(6, createRng(5), { saving, signal: stop.signal }));
  expect(saves).toEqual([2, 4]);
});

test.each([
  ['more steps than its generation', 'counters.step', { step: 4 }, {}],
  ['a step of the optimiser beyond all counting', 'optimizerStep', {}, { optimizerStep: 2 ** 53 - 1 }],
])('a saved learner with %s is refused, whatever its checksums', async (_, place, forgedCounters, forged) => {
  const learnt = join(temporaryFolder(), 'learning');
  const learning = { generation: 1, steps: 3, configDigest: '' };
  await learn(options(3, createRng(5), await resumeLearning(learnt, learning, 2)));
  const path = join(learnt, 'step-000002', 'manifest.json');
  const { manifest, contents } = await readWithManifest(path, LEARNER_KIND);
  const counters = { ...(manifest.details['counters'] as object), ...forgedCounters };
  const details = { ...manifest.details, ...forged, counters };
  await writeWithManifest(path, contents, { kind: LEARNER_KIND, details });
  await expect(resumeLearning(learnt, learning, 2)).rejects.toMatchObject({
    code: 'checkpoint-damaged',
    message: expect.stringContaining(place) as string,
  });
});

test('a saved learner that was altered is an error that names the file', async () => {
  const learnt = join(temporaryFolder(), 'learning');
  const learning = { generation: 1, steps: 3, configDigest: '' };
  const averaged = { config: { ...config, averaging: { kind: 'exponential', decay: 0.9 } as const } };
  await learn(options(3, createRng(5), { ...averaged, ...(await resumeLearning(learnt, learning, 2)) }));
  const saved = join(learnt, 'step-000002');
  const names = readdirSync(saved);
  expect(names.sort()).toEqual([
    'average.bin',
    'gradient.bin',
    'manifest.json',
    'optimizer.bin',
    'weights.bin',
  ]);
  for (const name of names) {
    const path = join(saved, name);
    const content = readFileSync(path);
    const altered = Buffer.from(content);
    altered[altered.length >> 1]! ^= 1;
    writeFileSync(path, altered);
    await expect(resumeLearning(learnt, learning, 2)).rejects.toThrow(path);
    expect((await verify(learnt, { deep: false })).problems.map((problem) => problem.path)).toEqual([path]);
    writeFileSync(path, content);
  }
  expect((await verify(learnt, { deep: false })).problems).toEqual([]);
});
