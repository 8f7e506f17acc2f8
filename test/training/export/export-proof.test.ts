import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSealed, sealJson, sha256 } from '../../../data/files/sealed-json.js';
import { modelMetadata } from '../../../training/checkpoints/checkpoint.js';
import { EXPORT_FILES, LISTED_FILES } from '../../../training/export/export-files.js';
import { type ExportProof, proveExport } from '../../../training/export/export-proof.js';
import { readExportedNetwork } from '../../../training/export/exported-network.js';
import { readPageModel } from '../../../training/export/page/page-model.js';
import type { ModelSpec } from '../../../training/export/spec-schema.js';
import type { TestVectors } from '../../../training/export/vectors/test-vectors.js';
import { encodeGraphModel } from '../../../training/network/graph-model/graph-model.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const tf = loadTensorflow({ threads: 2 });
const MODELS = join(import.meta.dirname, '..', '..', '..', 'models');
const sound = join(MODELS, 'connect-four');

const { graph, weights, policy, legal, int8, spec, vectors } = EXPORT_FILES;

/** A copy of the export that a forger changed: its checksums are new. */
function forged(
  change: (folder: string) => void,
  changeSpec?: (content: ModelSpec) => object,
  original = sound,
): string {
  const folder = join(temporaryFolder(), 'forged');
  cpSync(original, folder, { recursive: true });
  change(folder);
  const sealed = readFileSync(join(folder, spec), 'utf8');
  const content = openSealed(sealed, 'file').value as ModelSpec;
  for (const name of LISTED_FILES) content.files[name] = sha256(readFileSync(join(folder, name)));
  writeFileSync(join(folder, spec), sealJson(changeSpec?.(content) ?? content, 'file'));
  return folder;
}

function nothing(): void {
  // The files do not change.
}

/** Changes the JSON of a file. */
const edit =
  (name: string, change: (content: object) => void) =>
  (folder: string): void => {
    const content = JSON.parse(readFileSync(join(folder, name), 'utf8')) as object;
    change(content);
    writeFileSync(join(folder, name), JSON.stringify(content));
  };

async function prove(folder: string): Promise<ExportProof> {
  return proveExport(tf, folder);
}

test('the proof of a sound export lists the checks, and no tensor remains', async () => {
  const before = tf.memory().numTensors;
  const { game, positions, files, models } = await prove(sound);
  expect(tf.memory().numTensors).toBe(before);
  expect({ game, positions }).toEqual({ game: 'connect-four', positions: 20 });
  expect(files).toHaveLength(Object.keys(EXPORT_FILES).length);
  expect(models.map(({ file }) => file)).toEqual([graph, policy, legal, int8]);
  for (const { difference, tolerance } of models) expect(difference).toBeLessThanOrEqual(tolerance);
});

test('an unchanged export with new checksums is sound', async () => {
  expect((await prove(forged(nothing))).positions).toBe(20);
});

test('the tolerance of int8 in version 1.0.0 is sound', async () => {
  const tolerance = { float32: 1e-4, int8: 0.1 };
  expect((await prove(forged(nothing, (content) => ({ ...content, tolerance })))).positions).toBe(20);
});

test('a graph with a table of pairs of squares, as in version 1.0.0, is sound', async () => {
  const original = join(MODELS, 'gess');
  const checkpoint = (await readExportedNetwork(original))!;
  const metadata = modelMetadata(checkpoint);
  const tabled = encodeGraphModel(checkpoint.network, metadata, weights, true);
  expect(tabled.modelJson).not.toBe(readFileSync(join(original, graph), 'utf8'));
  expect(tabled.weights.length).toBeGreaterThan(readFileSync(join(original, weights)).length + 200_000);
  const write = (folder: string): void => {
    writeFileSync(join(folder, graph), tabled.modelJson);
    writeFileSync(join(folder, weights), tabled.weights);
  };
  const { models } = await prove(forged(write, undefined, original));
  expect(models.map(({ file }) => file)).toEqual([graph, policy, legal, int8]);
});

test('constants that no runtime can use are an error of the export', async () => {
  const zeros = (folder: string): void => {
    const path = join(folder, weights);
    const bytes = readFileSync(path);
    const { weightsManifest } = JSON.parse(readFileSync(join(folder, graph), 'utf8')) as {
      readonly weightsManifest: readonly [
        { readonly weights: readonly { readonly name: string; readonly shape: readonly number[] }[] },
      ];
    };
    let start = 0;
    for (const { name, shape } of weightsManifest[0].weights) {
      if (name.endsWith('/numSquares')) bytes.writeInt32LE(0, start);
      start += 4 * shape.reduce((product, length) => product * length, 1);
    }
    writeFileSync(path, bytes);
  };
  const folder = forged(zeros, undefined, join(MODELS, 'gess'));
  await expect(prove(folder)).rejects.toMatchObject({
    code: 'export-mismatch',
    message: expect.stringContaining(
      `expected ${join(folder, graph)} to run on the test vectors, but `,
    ) as string,
  });
});

test.each(Object.values(EXPORT_FILES))('a changed byte of %s is found', async (name) => {
  const folder = join(temporaryFolder(), 'damaged');
  cpSync(sound, folder, { recursive: true });
  const bytes = readFileSync(join(folder, name));
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  writeFileSync(join(folder, name), bytes);
  const code = name === spec ? 'manifest-damaged' : 'file-altered';
  await expect(prove(folder)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(join(folder, name)) as string,
  });
});

test.each(Object.values(EXPORT_FILES))('the lack of %s is found', async (name) => {
  const folder = join(temporaryFolder(), 'cut');
  cpSync(sound, folder, { recursive: true });
  rmSync(join(folder, name));
  const code = name === spec ? 'manifest-missing' : 'file-missing';
  await expect(prove(folder)).rejects.toMatchObject({ code });
});

test('the error for a run says that it is one, here and for the page', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'run.json'), '{"runVersion":1}');
  const message = new RegExp(`^expected .*${folder}'?, found a run$`);
  await expect(prove(folder)).rejects.toMatchObject({
    code: 'manifest-missing',
    message: expect.stringMatching(message) as string,
  });
  await expect(readPageModel(folder)).rejects.toMatchObject({
    code: 'model-missing',
    message: expect.stringMatching(message) as string,
  });
});

describe('a forged export', () => {
  type Position = TestVectors['positions'][number];
  const inVectors = (change: (content: TestVectors) => void): ReturnType<typeof edit> =>
    edit(vectors, (content) => {
      change(content as TestVectors);
    });
  const inFirst = (change: (position: Position) => void): ReturnType<typeof edit> =>
    inVectors(({ positions }) => {
      change(positions[1]!);
    });
  interface Graph {
    modelTopology: { node: { op: string }[] };
  }
  const copied =
    (from: string, to: string) =>
    (folder: string): void => {
      writeFileSync(join(folder, to), readFileSync(join(folder, from)));
    };

  test.each<[name: string, code: string, change: (folder: string) => void]>([
    ['an expected logit', 'export-mismatch', inFirst(({ legalLogits }) => (legalLogits[0]! += 0.001))],
    ['an expected outcome', 'export-mismatch', inFirst(({ outcome }) => (outcome[2]! -= 0.001))],
    ['an expected logit of int8', 'export-mismatch', inFirst((p) => (p.int8.legalLogits[0]! += 0.5))],
    ['the planes', 'manifest-damaged', inFirst(({ observation }) => (observation[2] = 0.5))],
    ['the legal moves', 'manifest-damaged', inFirst(({ legalMoves }) => legalMoves.reverse())],
    ['the policy indices', 'manifest-damaged', inFirst(({ legal: indices }) => (indices[0] = 6))],
    ['the position', 'manifest-damaged', inFirst((position) => (position.position = '…'))],
    ['an illegal move', 'manifest-damaged', inFirst((p) => (p.moves = '3 3 3 3 3 3 3'))],
    ['an invalid move', 'manifest-damaged', inFirst((position) => (position.moves = 'e2e4'))],
    ['a game that is over', 'manifest-damaged', inFirst((p) => (p.moves = '0 1 0 1 0 1 0'))],
    ['a missing logit', 'manifest-damaged', inFirst(({ legalLogits }) => legalLogits.pop())],
    ['vectors without positions', 'manifest-damaged', inVectors((content) => (content.positions = []))],
    ['vectors of another game', 'manifest-damaged', inVectors((content) => (content.game = 'gess'))],
    [
      'vectors of a later version',
      'manifest-too-new',
      edit(vectors, (content) => Object.assign(content, { vectorsVersion: 2 })),
    ],
    [
      'a graph with another operation',
      'export-foreign',
      edit(graph, (content) => ((content as Graph).modelTopology.node[0]!.op = 'While')),
    ],
    [
      'other weights',
      'export-mismatch',
      (f) => {
        const b = readFileSync(join(f, weights));
        b.writeFloatLE(3, 0);
        writeFileSync(join(f, weights), b);
      },
    ],
    ['swapped ONNX forms', 'model-mismatch', copied(legal, policy)],
    ['float32 instead of int8', 'export-mismatch', copied(legal, int8)],
    ['int8 instead of float32', 'export-mismatch', copied(int8, legal)],
    ['text instead of ONNX', 'model-unreadable', copied(EXPORT_FILES.card, legal)],
  ])('%s is found: %s', async (_name, code, change) => {
    await expect(prove(forged(change))).rejects.toMatchObject({ code });
  });

  test.each<[name: string, code: string, change: (content: ModelSpec) => object]>([
    ['an extra key', 'manifest-damaged', (content) => ({ ...content, more: 1 })],
    [
      'a file outside the folder',
      'manifest-damaged',
      (content) => ({ ...content, files: { ...content.files, '../a': 'b' } }),
    ],
    ['a missing file', 'manifest-damaged', (content) => ({ ...content, models: 'none' })],
    ['another game', 'checkpoint-damaged', (content) => ({ ...content, game: 'quess', rules: 'standard' })],
    ['an unknown game', 'game-unknown', (content) => ({ ...content, game: 'chess' })],
    ['another encoding', 'checkpoint-game', (content) => ({ ...content, encodingVersion: 7 })],
    ['a later version', 'model-mismatch', (content) => ({ ...content, specVersion: 2 })],
    ['an earlier version', 'manifest-damaged', (content) => ({ ...content, specVersion: 0 })],
    [
      'a larger network',
      'checkpoint-damaged',
      (content) => ({ ...content, network: { ...content.network, blocks: 9 } }),
    ],
    [
      'a gigantic network',
      'manifest-damaged',
      (content) => ({ ...content, network: { ...content.network, channels: 1e9 } }),
    ],
    ['other players', 'manifest-damaged', (content) => ({ ...content, players: ['yellow', 'red'] })],
    ['another ply limit', 'manifest-damaged', (content) => ({ ...content, plyLimit: 41 })],
    [
      'more symmetries than the game has',
      'manifest-damaged',
      (content) => ({ ...content, play: { ...content.play, symmetries: 3 } }),
    ],
    [
      'another tolerance of float32',
      'manifest-damaged',
      (content) => ({ ...content, tolerance: { ...content.tolerance, float32: 1e9 } }),
    ],
    [
      'another tolerance of int8',
      'manifest-damaged',
      (content) => ({ ...content, tolerance: { ...content.tolerance, int8: 0.6 } }),
    ],
    [
      'a difference above the tolerance',
      'manifest-damaged',
      (content) => ({ ...content, parity: { ...content.parity, tensorflowJs: 1e-3 } }),
    ],
    ['fewer outputs', 'manifest-damaged', (content) => ({ ...content, outputs: content.outputs.slice(1) })],
    ['fewer models', 'manifest-damaged', (content) => ({ ...content, models: content.models.slice(1) })],
    [
      'other planes',
      'manifest-damaged',
      ({ observation, ...content }) => ({
        ...content,
        observation: { ...observation, planes: observation.planes.toReversed() },
      }),
    ],
    [
      'fewer actions',
      'manifest-damaged',
      (content) => ({ ...content, actions: { ...content.actions, count: 6 } }),
    ],
  ])('with %s is refused: %s', async (_name, code, change) => {
    await expect(prove(forged(nothing, change))).rejects.toMatchObject({ code });
  });
});
