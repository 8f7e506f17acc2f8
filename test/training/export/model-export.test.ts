import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { sha256 } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { EXPORT_FILES } from '../../../training/export/export-files.js';
import { exportModel } from '../../../training/export/model-export.js';
import type { ModelSpec } from '../../../training/export/spec-schema.js';
import { readTestVectors } from '../../../training/export/vectors/test-vectors.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';
import { TensorNetwork } from '../../../training/network/tensor-network.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { checkpointOf } from './checkpoint-fixture.js';

const tf = loadTensorflow({ threads: 2 });

test.each(['gess', 'connect-four'])('%s: models that agree, and their specification', async (gameId) => {
  const out = join(temporaryFolder(), 'deep', 'model');
  const before = tf.memory().numTensors;
  const options = { rng: createRng(1), license: 'CC0-1.0', notes: '## Strength\n\nNone.' };
  const { files, parity } = await exportModel(tf, checkpointOf(gameId), out, options);
  expect(tf.memory().numTensors).toBe(before);
  expect(readdirSync(out).sort()).toEqual(Object.values(EXPORT_FILES).sort());
  for (const [name, digest] of Object.entries(files)) {
    expect(sha256(readFileSync(join(out, name)))).toBe(digest);
  }
  expect(parity.positions).toBe(100);
  const { tensorflowJs, onnxPolicy, onnxLegal, int8 } = parity;
  for (const difference of [tensorflowJs, onnxPolicy, onnxLegal]) expect(difference).toBeLessThan(1e-4);
  // Different programs round differently, so exact equality would mean that one was compared with itself.
  for (const difference of [onnxPolicy, onnxLegal]) expect(difference).toBeGreaterThan(0);
  expect(int8.policyDivergence).toBeGreaterThan(0);
  expect(int8.policyDivergence).toBeLessThan(0.05);
  const spec = JSON.parse(readFileSync(join(out, EXPORT_FILES.spec), 'utf8')) as ModelSpec;
  const planes = createGame(gameId).observationShape[2];
  expect(spec).toMatchObject({ specVersion: 1, game: gameId, generation: 2, license: 'CC0-1.0' });
  expect(spec.observation.planes).toHaveLength(planes);
  expect({ ...spec.files, 'spec.json': files['spec.json'] }).toEqual(files);
  const card = readFileSync(join(out, EXPORT_FILES.card), 'utf8');
  for (const text of ['CC0-1.0', '## Strength', 'parameters', ...Object.keys(spec.files)])
    if (text !== EXPORT_FILES.card) expect(card).toContain(text);
});

test('spec.json follows its JSON Schema, which rejects other contents', async () => {
  const out = join(temporaryFolder(), 'model');
  await exportModel(tf, checkpointOf('connect-four'), out, { rng: createRng(1) });
  const read = (name: string): object => JSON.parse(readFileSync(join(out, name), 'utf8')) as object;
  const validate = new Ajv2020({ strictTypes: false }).compile(read(EXPORT_FILES.specSchema));
  const spec = read(EXPORT_FILES.spec);
  expect([validate(spec), validate.errors]).toEqual([true, null]);
  for (const change of [{ specVersion: 2 }, { game: 7 }, { extra: 1 }, { files: {} }, { sha256: 'none' }])
    expect([change, validate({ ...spec, ...change })]).toEqual([change, false]);
});

test('equal checkpoints and seeds make equal test vectors with the logits of the network', async () => {
  const checkpoint = checkpointOf('quess');
  const outs = ['a', 'b'].map((name) => join(temporaryFolder(), name));
  for (const out of outs) await exportModel(tf, checkpoint, out, { rng: createRng(1) });
  const [vectors, same] = await Promise.all(
    outs.map((out) => readTestVectors(join(out, EXPORT_FILES.vectors))),
  );
  expect(vectors).toEqual(same);
  expect(vectors!.positions).toHaveLength(20);
  // Each player is to move in some of them, and the planes are those of the input as rows.
  expect(new Set(vectors!.positions.map(({ player }) => player)).size).toBe(2);
  const { shape, weights } = checkpoint.network;
  for (const { observation, legal, legalLogits, outcome } of vectors!.positions) {
    const [rows, columns, planes] = shape.observation;
    const input = new Float32Array(rows * columns * planes);
    observation.forEach((plane, index) => {
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++)
          input[(row * columns + column) * planes + index] =
            typeof plane === 'number' ? plane : plane[row]![column]!;
    });
    const outputs = new TensorNetwork(tf, shape).predict(weights, input, 1);
    const policy = outputs.get('policy')!;
    legal.forEach((index, i) => {
      expect(Math.abs(legalLogits[i]! - policy[index]!)).toBeLessThan(1e-5);
    });
    outcome.forEach((logit, i) => {
      expect(Math.abs(logit - outputs.get('outcome')![i]!)).toBeLessThan(1e-5);
    });
  }
});

test('an int8 model of another network is refused', async () => {
  const folder = temporaryFolder();
  const other = checkpointOf('connect-four').network;
  // Shuffled weights prefer other moves.
  other.weights.reverse().forEach((weight, i) => (other.weights[i] = weight * 8));
  const int8 = encodeOnnxModel(other, 'legal');
  await expect(
    exportModel(tf, checkpointOf('connect-four'), join(folder, 'model'), { rng: createRng(1), int8 }),
  ).rejects.toMatchObject({ code: 'export-mismatch', message: expect.stringContaining('int8') as string });
  expect(readdirSync(folder)).toEqual([]);
});

test('options for play with more symmetries than the game has are refused', async () => {
  const folder = temporaryFolder();
  const options = { rng: createRng(1), play: { symmetries: 3 } };
  await expect(
    exportModel(tf, checkpointOf('connect-four'), join(folder, 'model'), options),
  ).rejects.toMatchObject({ code: 'agent-option', message: expect.stringContaining('1 to 2') as string });
  expect(readdirSync(folder)).toEqual([]);
});

test('files that disagree are refused and removed', async () => {
  const checkpoint = checkpointOf('connect-four');
  // Weights so large that the rounding of float32 exceeds the tolerance.
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
