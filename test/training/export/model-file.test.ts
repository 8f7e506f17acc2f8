import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import { writeWithManifest } from '../../../data/files/manifest.js';
import { sealJson } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import { CHECKPOINT_KIND } from '../../../training/checkpoints/checkpoint-files.js';
import { readCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import {
  modelPath,
  openModelFile,
  readModelFile,
  selfPlayModelPath,
  agentModelPath,
} from '../../../training/export/model-file.js';

const game = createGame('gess');
const { rules, rulesVersion, encodingVersion } = game;
const BYTES = Buffer.from('the bytes of a model');

let folder: string;
let model: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gess-model-'));
  model = join(folder, 'model.onnx');
  await writeWithManifest(join(folder, 'manifest.json'), new Map([['model.onnx', BYTES]]), {
    kind: CHECKPOINT_KIND,
    details: { game: { id: 'gess', rules, rulesVersion, encodingVersion } },
  });
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function flipByte(): void {
  const bytes = readFileSync(model);
  bytes[3]! ^= 1;
  writeFileSync(model, bytes);
}

test('reads the model of a checkpoint by its file or its folder', async () => {
  expect(Buffer.from(await readModelFile(model, game))).toEqual(BYTES);
  expect(Buffer.from(await readModelFile(folder, game))).toEqual(BYTES);
});

test('detects an altered and a truncated model', async () => {
  flipByte();
  await expect(readModelFile(model, game)).rejects.toMatchObject({ code: 'file-altered' });
  writeFileSync(model, BYTES.subarray(1));
  await expect(readModelFile(model, game)).rejects.toMatchObject({ code: 'file-cut' });
});

test('refuses a model of another game, other rules or another encoding', async () => {
  for (const other of [
    createGame('connect-four'),
    createGame('gess', 'gach'),
    { ...game, encodingVersion: 99 },
  ]) {
    await expect(readModelFile(model, other)).rejects.toMatchObject({ code: 'model-mismatch' });
  }
  await expect(readModelFile(model, createGame('quess'))).rejects.toThrow(
    `expected a model of quess standard, found one of gess ${rules} in ${model}`,
  );
});

test('checks an exported model against spec.json', async () => {
  const files = { 'model.onnx': createHash('sha256').update(BYTES).digest('hex') };
  const spec = { specVersion: 1, game: 'gess', rules, rulesVersion, encodingVersion, files };
  const writeSpec = (content: object): void => {
    writeFileSync(join(folder, 'spec.json'), sealJson(content, 'file'));
  };
  writeSpec(spec);
  expect(Buffer.from(await readModelFile(model, game))).toEqual(BYTES);
  flipByte();
  await expect(readModelFile(model, game)).rejects.toMatchObject({ code: 'file-altered' });
  writeSpec({ ...spec, specVersion: 99 });
  await expect(readModelFile(model, game)).rejects.toMatchObject({ code: 'model-mismatch' });
  writeSpec({ ...spec, rules: 'gach' });
  await expect(readModelFile(model, game)).rejects.toMatchObject({ code: 'model-mismatch' });
  const damaged = { code: 'manifest-damaged', message: expect.stringContaining(folder) as string };
  for (const text of ['[]', JSON.stringify(spec), `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`]) {
    writeFileSync(join(folder, 'spec.json'), text);
    await expect(readModelFile(model, game)).rejects.toMatchObject(damaged);
  }
});

test('detects any change of spec.json', async () => {
  const path = join(folder, 'spec.json');
  const files = { 'model.onnx': createHash('sha256').update(BYTES).digest('hex') };
  const spec = { specVersion: 1, game: 'gess', rules, rulesVersion, encodingVersion, generation: 3, files };
  for (const change of [
    (text: string) => text.replace('"generation": 3', '"generation": 4'),
    (text: string) => text.replaceAll('\n', ' '),
  ]) {
    writeFileSync(path, change(sealJson(spec, 'file')));
    await expect(readModelFile(model, game)).rejects.toMatchObject({
      code: 'manifest-damaged',
      message: expect.stringContaining(path) as string,
    });
  }
});

test('names the path of a missing model', async () => {
  await expect(readModelFile(join(folder, 'none.onnx'), game)).rejects.toMatchObject({
    code: 'model-missing',
    message: expect.stringContaining(folder) as string,
  });
});

test('the folder of a run is no model, and its newest network is named', async () => {
  const newest = join(folder, 'checkpoints', 'gen-000002');
  for (const name of ['gen-000001', 'gen-000002']) {
    mkdirSync(join(folder, 'checkpoints', name), { recursive: true });
  }
  const message = expect.stringContaining(`whose newest network is in ${newest}`) as string;
  rmSync(model);
  rmSync(join(folder, 'manifest.json'));
  await expect(readModelFile(folder, game)).rejects.toMatchObject({ code: 'model-missing', message });
  await expect(readCheckpoint(folder)).rejects.toMatchObject({
    code: 'manifest-missing',
    message: `expected a checkpoint in ${folder}, found a run: name ${newest}, its newest`,
  });
});

test.each([
  ['oracle', 'found nothing; models of the package: gess, quess, connect-four'],
  ['ges', "found nothing; did you mean 'gess'?"],
  ['no/such', 'found nothing'],
])('the message on the missing model %s ends with "%s"', async (name, end) => {
  await expect(readModelFile(name, game)).rejects.toThrow(
    `expected an ONNX file, a checkpoint or an export at '${name}', ${end}`,
  );
});

test("the options of a model's specification are the defaults of its agent; its text comes first", async () => {
  const gess = createGame('gess');
  const nameOf = async (options: string): Promise<string> => {
    const text = `mcts:model=${join(import.meta.dirname, '../../../models/gess/model-legal.onnx')},simulations=4${options}`;
    const agent = await createAgent(text, gess, openModelFile);
    await agent.dispose();
    return agent.name;
  };
  expect(await nameOf('')).toMatch(/symmetries=2.*exploration=0\.8/);
  expect(await nameOf(',exploration=1.5')).toMatch(/symmetries=2.*exploration=1\.5/);
  const gumbel = await nameOf(',root=gumbel,symmetries=1');
  expect(gumbel).toContain('symmetries=1');
  expect(gumbel).not.toContain('exploration');
});

test('the precision of a folder is that of the text, or of the specification, or the default', async () => {
  const checkpoint = join(import.meta.dirname, '../../../models/gess/checkpoint');
  expect(await modelPath(checkpoint)).toBe(join(checkpoint, 'model.onnx'));
  expect(await modelPath(checkpoint, 'int8')).toBe(join(checkpoint, 'model-int8.onnx'));
  await expect(modelPath(join(checkpoint, 'model.onnx'), 'int8')).rejects.toMatchObject({
    code: 'model-missing',
  });
  const exported = join(folder, 'exported');
  mkdirSync(exported);
  writeFileSync(join(exported, 'model.onnx'), '');
  const spec = { specVersion: 1, game: 'gess', rules: '', rulesVersion: 1, encodingVersion: 1, files: {} };
  writeFileSync(join(exported, 'spec.json'), sealJson({ ...spec, play: { precision: 'int8' } }, 'file'));
  expect(await modelPath(exported)).toBe(join(exported, 'model.onnx'));
  writeFileSync(join(exported, 'model-int8.onnx'), '');
  expect(await modelPath(exported)).toBe(join(exported, 'model-int8.onnx'));
  expect(await modelPath(exported, 'float32')).toBe(join(exported, 'model.onnx'));
});

test('agents with a time limit play in int8 by default, if the folder has it', async () => {
  const checkpoint = join(import.meta.dirname, '../../../models/gess/checkpoint');
  const [float32, int8] = [join(checkpoint, 'model.onnx'), join(checkpoint, 'model-int8.onnx')];
  const agent = `mcts:model=${checkpoint}`;
  expect(await agentModelPath(`${agent},timeMs=100`)).toBe(int8);
  expect(await agentModelPath(`${agent},timeMs=100,precision=float32`)).toBe(float32);
  expect(await agentModelPath(`${agent},nodes=100`)).toBe(float32);
  expect(await agentModelPath(`mcts:model=${float32},timeMs=100`)).toBe(float32);
  expect(await agentModelPath('mcts:timeMs=100')).toBeNull();
  const exported = join(folder, 'timed');
  mkdirSync(exported);
  writeFileSync(join(exported, 'model.onnx'), '');
  expect(await modelPath(exported, undefined, true)).toBe(join(exported, 'model.onnx'));
  writeFileSync(join(exported, 'model-int8.onnx'), '');
  expect(await modelPath(exported, undefined, true)).toBe(join(exported, 'model-int8.onnx'));
  const spec = { specVersion: 1, game: 'gess', rules: '', rulesVersion: 1, encodingVersion: 1, files: {} };
  writeFileSync(join(exported, 'spec.json'), sealJson({ ...spec, play: { precision: 'float32' } }, 'file'));
  expect(await modelPath(exported, undefined, true)).toBe(join(exported, 'model.onnx'));
});

test('the opener of a search learns that its time is limited', async () => {
  const gess = createGame('gess');
  const opened: unknown[] = [];
  const open = async (text: string): Promise<void> => {
    const agent = await createAgent(text, gess, async (path, game, precision, isTimed) => {
      opened.push([precision, isTimed]);
      return openModelFile(path, game, precision, isTimed);
    });
    await agent.dispose();
  };
  await open('mcts:model=gess,timeMs=100');
  await open('mcts:model=gess,simulations=4,precision=int8');
  expect(opened).toEqual([
    [undefined, true],
    ['int8', false],
  ]);
});

test('self-play in int8 uses the int8 model of a folder, and a named file as it is', async () => {
  const checkpoint = join(import.meta.dirname, '../../../models/gess/checkpoint');
  const float32 = join(checkpoint, 'model.onnx');
  expect(await selfPlayModelPath(checkpoint, 'int8')).toBe(join(checkpoint, 'model-int8.onnx'));
  expect(await selfPlayModelPath(checkpoint, 'float32')).toBe(float32);
  expect(await selfPlayModelPath(float32, 'int8')).toBe(float32);
  expect(await selfPlayModelPath('gess', 'int8')).toMatch(/model-legal-int8\.onnx$/);
  await expect(selfPlayModelPath(folder, 'int8')).rejects.toMatchObject({
    code: 'model-missing',
    message: expect.stringContaining('model-int8.onnx') as string,
  });
});
