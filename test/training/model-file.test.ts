import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeWithManifest } from '../../data/manifest.js';
import { CHECKPOINT_KIND } from '../../training/checkpoint.js';
import { readModelFile } from '../../training/model-file.js';

const BYTES = Buffer.from('the bytes of a model');

let folder: string;
let model: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gess-model-'));
  model = join(folder, 'model.onnx');
  await writeWithManifest(join(folder, 'manifest.json'), new Map([['model.onnx', BYTES]]), {
    kind: CHECKPOINT_KIND,
    details: {},
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
  expect(Buffer.from(await readModelFile(model))).toEqual(BYTES);
  expect(Buffer.from(await readModelFile(folder))).toEqual(BYTES);
});

test('notices an altered and a cut model', async () => {
  flipByte();
  await expect(readModelFile(model)).rejects.toMatchObject({ code: 'file-altered' });
  writeFileSync(model, BYTES.subarray(1));
  await expect(readModelFile(model)).rejects.toMatchObject({ code: 'file-cut' });
});

test('checks an exported model against spec.json', async () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    files: Record<string, { sha256: string }>;
  };
  rmSync(join(folder, 'manifest.json'));
  const files = { 'model.onnx': manifest.files['model.onnx']!.sha256 };
  writeFileSync(join(folder, 'spec.json'), JSON.stringify({ files }));
  expect(Buffer.from(await readModelFile(model))).toEqual(BYTES);
  flipByte();
  await expect(readModelFile(model)).rejects.toMatchObject({ code: 'file-altered' });
});

test('says where it looked for a model that is not there', async () => {
  await expect(readModelFile(join(folder, 'none.onnx'))).rejects.toMatchObject({
    code: 'model-missing',
    message: expect.stringContaining(folder) as string,
  });
});
