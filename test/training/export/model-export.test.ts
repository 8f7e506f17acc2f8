import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import type { Checkpoint } from '../../../training/checkpoints/checkpoint.js';
import { exportModel } from '../../../training/export/model-export.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { randomNetwork } from '../network/network-fixtures.js';

const tf = loadTensorflow({ threads: 2 });

function checkpointOf(gameId: string): Checkpoint {
  const game = createGame(gameId);
  return {
    generation: 2,
    game,
    network: randomNetwork(
      networkShape(game, NetworkConfig.parse({ channels: 8, blocks: 1, valueHidden: 8 })),
      1,
    ),
    average: null,
    optimizer: null,
    learnerRandom: null,
    configDigest: null,
    softwareVersion: '0.1.0',
  };
}

test.each(['gess', 'connect-four'])('%s: three files that agree, and their specification', async (gameId) => {
  const out = join(temporaryFolder(), 'deep', 'model');
  const before = tf.memory().numTensors;
  const { files, parity } = await exportModel(tf, checkpointOf(gameId), out, { rng: createRng(1) });
  expect(tf.memory().numTensors).toBe(before);
  expect(readdirSync(out).sort()).toEqual(['model.json', 'model.onnx', 'spec.json', 'weights.bin']);
  for (const [name, digest] of Object.entries(files)) {
    expect(sha256(readFileSync(join(out, name)))).toBe(digest);
  }
  expect(parity.positions).toBe(100);
  for (const difference of [parity.tensorflowJs, parity.onnx]) expect(difference).toBeLessThan(1e-4);
  // Different programs round differently: exact equality would mean that one was compared with itself.
  expect(parity.onnx).toBeGreaterThan(0);
  const spec = JSON.parse(readFileSync(join(out, 'spec.json'), 'utf8')) as Record<string, unknown>;
  const planes = createGame(gameId).observationShape[2];
  expect(spec).toMatchObject({ specVersion: 1, game: gameId, generation: 2, input: { name: 'observation' } });
  expect((spec['input'] as { planes: unknown[] }).planes).toHaveLength(planes);
  expect({ ...(spec['files'] as object), 'spec.json': files['spec.json'] }).toEqual(files);
});

test('files that disagree are refused and removed', async () => {
  const checkpoint = checkpointOf('connect-four');
  // So great that the rounding of float32 is beyond what is allowed.
  for (const [i, weight] of checkpoint.network.weights.entries())
    checkpoint.network.weights[i] = weight * 100;
  const folder = temporaryFolder();
  await expect(
    exportModel(tf, checkpoint, join(folder, 'model'), { rng: createRng(1) }),
  ).rejects.toMatchObject({
    code: 'export-mismatch',
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a network with a weight that is not a number is refused', async () => {
  const checkpoint = checkpointOf('connect-four');
  checkpoint.network.parameters.get('outcome/bias')![0] = NaN;
  const folder = temporaryFolder();
  await expect(
    exportModel(tf, checkpoint, join(folder, 'model'), { rng: createRng(1) }),
  ).rejects.toMatchObject({
    code: 'export-mismatch',
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('an existing folder is left unchanged', async () => {
  const out = join(temporaryFolder(), 'model');
  mkdirSync(out);
  await expect(
    exportModel(tf, checkpointOf('connect-four'), out, { rng: createRng(1) }),
  ).rejects.toMatchObject({
    code: 'export-exists',
  });
  expect(existsSync(out)).toBe(true);
  expect(readdirSync(out)).toEqual([]);
});
