import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSealed, sealJson } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import { createRng, restoreRng } from '../../../env/random.js';
import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import type { Checkpoint } from '../../../training/checkpoints/checkpoint.js';
import { checkpointModelPath } from '../../../training/checkpoints/checkpoint-files.js';
import { readCheckpoint, writeCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import { openModelFile } from '../../../training/export/model-file.js';
import type { Calibration } from '../../../training/network/calibration.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { calibrateOnCarefulPositions } from '../../../training/checkpoints/checkpoint-calibration.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { randomFloats, randomNetwork } from '../network/network-fixtures.js';

const tf = loadTensorflow({ threads: 2 });
const FILES = ['manifest.json', 'model.json', 'model.onnx', 'optimizer.bin', 'weights.bin'];
const INT8_FILE = 'model-int8.onnx';

function sampleCheckpoint(gameId = 'connect-four'): Checkpoint {
  const game = createGame(gameId);
  const network = randomNetwork(
    networkShape(game, NetworkConfig.parse({ channels: 4, blocks: 1, valueHidden: 4 })),
    1,
  );
  // Numbers that conversion to text or rounding would change.
  network.weights.set([1e-42, -0, 3.4e38, 1 / 3]);
  const moments = [1, 2].map((seed) => randomFloats(network.weights.length, createRng(seed)));
  return {
    generation: 3,
    game,
    network,
    average: null,
    optimizer: { step: 77, firstMoment: moments[0]!, secondMoment: moments[1]! },
    learnerRandom: createRng(9).state(),
    configDigest: 'ab'.repeat(32),
    softwareVersion: '0.1.0',
  };
}

async function written(checkpoint = sampleCheckpoint(), calibration?: Calibration): Promise<string> {
  const folder = join(temporaryFolder(), 'gen-000003');
  await writeCheckpoint(folder, checkpoint, calibration);
  return folder;
}

/** Changes the text of a manifest and seals it again. */
function edit(path: string, change: (text: string) => string): void {
  const { value } = openSealed(change(readFileSync(path, 'utf8')), 'file');
  writeFileSync(path, sealJson(value, 'file'));
}

function expectBits(actual: Float32Array, expected: Float32Array): void {
  expect(Buffer.from(actual.buffer, actual.byteOffset, actual.byteLength)).toEqual(
    Buffer.from(expected.buffer, expected.byteOffset, expected.byteLength),
  );
}

test.each(['connect-four', 'gess'])('a checkpoint of %s is read back bit for bit', async (id) => {
  const checkpoint = sampleCheckpoint(id);
  const before = tf.memory().numTensors;
  const folder = await written(checkpoint);
  const read = await readCheckpoint(folder);
  expect(tf.memory().numTensors).toBe(before);
  expect(readdirSync(folder).sort()).toEqual(FILES);
  expectBits(read.network.weights, checkpoint.network.weights);
  expectBits(read.optimizer!.firstMoment, checkpoint.optimizer!.firstMoment);
  expectBits(read.optimizer!.secondMoment, checkpoint.optimizer!.secondMoment);
  expect(read.optimizer!.step).toBe(77);
  expect(read.game).toMatchObject({ id, rules: checkpoint.game.rules });
  const { generation, learnerRandom, configDigest, softwareVersion } = checkpoint;
  expect(read).toMatchObject({ generation, learnerRandom, configDigest, softwareVersion });
  expect(read.network.shape).toEqual(checkpoint.network.shape);
});

test('the checkpoint in the fixtures is read as it was written', async () => {
  const fixture = join(import.meta.dirname, '..', '..', 'fixtures', 'checkpoint');
  const read = await readCheckpoint(fixture);
  expect(read).toMatchObject({
    generation: 1,
    average: null,
    game: { id: 'connect-four' },
    softwareVersion: '0.1.0',
  });
  expect(read.optimizer!.step).toBe(5);
  expect(restoreRng(read.learnerRandom!).state()).toEqual([-1206501866, 57599173, 992034525, 1045027246]);
  const { weights } = read.network;
  expect(weights).toHaveLength(2858);
  expect(createHash('sha256').update(new Uint8Array(weights.buffer)).digest('hex')).toBe(
    '99d0bbacb9df4b1b6e85041f1918c9fd8e068b433455442aa0b2b77e4607917c',
  );
  const moments = new Float32Array(Uint8Array.from(readFileSync(join(fixture, 'optimizer.bin'))).buffer);
  expectBits(read.optimizer!.secondMoment, moments.slice(weights.length));
});

test('equal checkpoints have equal bytes', async () => {
  const [left, right] = [await written(), await written()];
  for (const name of FILES) {
    expect(readFileSync(join(left, name)).equals(readFileSync(join(right, name)))).toBe(true);
  }
});

test('a checkpoint with a calibration also has an int8 model, which plays', async () => {
  const checkpoint = sampleCheckpoint();
  checkpoint.network.weights.fill(0.1, 0, 4);
  const calibrations = await Promise.all(
    [1, 1].map((seed) => calibrateOnCarefulPositions(tf, checkpoint, seed)),
  );
  expect(calibrations[0]).toEqual(calibrations[1]);
  const [left, right] = [
    await written(checkpoint, calibrations[0]),
    await written(checkpoint, calibrations[1]),
  ];
  expect(readdirSync(left).sort()).toEqual([...FILES, INT8_FILE].sort());
  for (const name of readdirSync(left)) {
    expect(readFileSync(join(left, name)).equals(readFileSync(join(right, name)))).toBe(true);
  }
  expectBits((await readCheckpoint(left)).network.weights, checkpoint.network.weights);
  const session = await openModelFile(checkpointModelPath(left, 'int8'), checkpoint.game);
  const evaluator = await NetworkEvaluator.create(checkpoint.game, session);
  await evaluator.dispose();
});

test('a checkpoint can lack the optimiser and the random stream', async () => {
  const folder = await written({ ...sampleCheckpoint(), optimizer: null, learnerRandom: null });
  expect(readdirSync(folder)).not.toContain('optimizer.bin');
  expect(await readCheckpoint(folder)).toMatchObject({ optimizer: null, learnerRandom: null });
});

test('an existing folder is left unchanged, and no other files remain beside it', async () => {
  const folder = await written();
  const before = readFileSync(join(folder, 'manifest.json'));
  await expect(writeCheckpoint(folder, sampleCheckpoint())).rejects.toMatchObject({
    code: 'checkpoint-exists',
  });
  expect(readFileSync(join(folder, 'manifest.json'))).toEqual(before);
  expect(readdirSync(join(folder, '..'))).toEqual(['gen-000003']);
});

test('an unwritable folder is an error that names it', async () => {
  const blocked = join(temporaryFolder(), 'file');
  writeFileSync(blocked, '');
  await expect(writeCheckpoint(join(blocked, 'gen'), sampleCheckpoint())).rejects.toMatchObject({
    code: 'write-failed',
    message: expect.stringContaining(blocked) as string,
  });
});

describe('damage', () => {
  const files = [...FILES.filter((name) => name !== 'manifest.json'), INT8_FILE];
  test.each(files)('%s missing, truncated or altered', async (name) => {
    const checkpoint = sampleCheckpoint();
    // The greatest number makes infinite activations, which have no int8 model.
    checkpoint.network.weights[2] = 1;
    const folder = await written(checkpoint, await calibrateOnCarefulPositions(tf, checkpoint, 1));
    const path = join(folder, name);
    const content = readFileSync(path);
    const expectCode = async (code: string): Promise<void> => {
      const message = expect.stringContaining(name) as string;
      await expect(readCheckpoint(folder)).rejects.toMatchObject({ code, message });
    };
    rmSync(path);
    await expectCode('file-missing');
    writeFileSync(path, content);
    truncateSync(path, content.length - 1);
    await expectCode('file-cut');
    const altered = Buffer.from(content);
    altered[altered.length >> 1]! ^= 1;
    writeFileSync(path, altered);
    await expectCode('file-altered');
  });

  test.each([
    [
      'manifest-missing',
      (path: string): void => {
        rmSync(path);
      },
    ],
    [
      'manifest-damaged',
      (path: string): void => {
        truncateSync(path, 40);
      },
    ],
    [
      'manifest-too-new',
      (path: string): void => {
        edit(path, (text) => text.replace(/"manifestVersion": \d+/, '"manifestVersion": 99'));
      },
    ],
    [
      'checkpoint-too-new',
      (path: string): void => {
        edit(path, (text) => text.replace('"checkpointVersion": 1', '"checkpointVersion": 2'));
      },
    ],
    [
      'checkpoint-game',
      (path: string): void => {
        edit(path, (text) => text.replace('"encodingVersion": 1', '"encodingVersion": 9'));
      },
    ],
    [
      'game-unknown',
      (path: string): void => {
        edit(path, (text) => text.replace('"connect-four"', '"chess"'));
      },
    ],
    [
      'checkpoint-damaged',
      (path: string): void => {
        edit(path, (text) => text.replace('"channels": 4', '"channels": 5'));
      },
    ],
    [
      'checkpoint-damaged',
      (path: string): void => {
        edit(path, (text) => text.replace('"policyAttention": 0', '"policyAttention": 8'));
      },
    ],
    [
      'checkpoint-damaged',
      (path: string): void => {
        edit(path, (text) => text.replace('"generation"', '"generations"'));
      },
    ],
    [
      'checkpoint-damaged',
      (path: string): void => {
        // The next generation could not be written.
        edit(path, (text) => text.replace('"generation": 3', `"generation": ${Number.MAX_SAFE_INTEGER}`));
      },
    ],
    [
      'checkpoint-damaged',
      (path: string): void => {
        edit(path, (text) => text.replace(/"optimizerSteps": \d+/, '"optimizerSteps": 9007199254740991'));
      },
    ],
    [
      'checkpoint-damaged',
      (path: string): void => {
        edit(path, (text) => text.replace(/"learnerRandom": \[[^\]]*\]/, '"learnerRandom": [0, 0, 0, 0]'));
      },
    ],
  ])('%s', async (code, damage) => {
    const folder = await written();
    const path = join(folder, 'manifest.json');
    const before = readFileSync(path, 'utf8');
    damage(path);
    await expect(readCheckpoint(folder)).rejects.toMatchObject({ code });
    writeFileSync(path, before);
    await expect(readCheckpoint(folder)).resolves.toMatchObject({ generation: 3 });
  });

  test.each([
    ['weights.bin', ({ network }: Checkpoint): Float32Array => network.weights],
    ['optimizer.bin', ({ optimizer }: Checkpoint): Float32Array => optimizer!.secondMoment],
  ])('a number that is not finite in %s', async (file, arrayOf) => {
    const checkpoint = sampleCheckpoint();
    arrayOf(checkpoint)[7] = NaN;
    await expect(readCheckpoint(await written(checkpoint))).rejects.toMatchObject({
      code: 'checkpoint-damaged',
      message: expect.stringContaining(`expected finite numbers in ${file}, got NaN`) as string,
    });
  });

  test('a mean of squares below 0', async () => {
    const checkpoint = sampleCheckpoint();
    checkpoint.optimizer!.secondMoment[7] = -0.5;
    await expect(readCheckpoint(await written(checkpoint))).rejects.toMatchObject({
      code: 'checkpoint-damaged',
      message: expect.stringContaining('in optimizer.bin, 0 or greater, got -0.5') as string,
    });
  });

  test('a missing folder is an error that names it', async () => {
    const folder = join(temporaryFolder(), 'gen-000009');
    await expect(readCheckpoint(folder)).rejects.toMatchObject({
      code: 'manifest-missing',
      message: `expected a checkpoint in ${folder}, found nothing`,
    });
  });

  test('an export is no checkpoint, and the error says what it is', async () => {
    const folder = join(import.meta.dirname, '..', '..', '..', 'models', 'gess');
    await expect(readCheckpoint(folder)).rejects.toMatchObject({
      code: 'manifest-missing',
      message: `expected a checkpoint in ${folder}, found an exported model`,
    });
  });
});
