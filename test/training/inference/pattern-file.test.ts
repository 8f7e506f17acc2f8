import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import { type Manifest, readManifest, writeWithManifest } from '../../../data/files/manifest.js';
import { sealJson } from '../../../data/files/sealed-json.js';
import { MAX_EVALUATION } from '../../../env/definition/evaluation.js';
import { createGame } from '../../../env/games.js';
import { createGess } from '../../../env/gess/gess.js';
import { PatternEvaluation } from '../../../env/gess/heuristics/patterns/pattern-evaluation.js';
import { PATTERN_BYTES } from '../../../env/gess/heuristics/patterns/pattern-weights.js';
import { createRng } from '../../../env/random.js';
import { openAgent } from '../../../training/export/open-agent.js';
import { quantise } from '../../../training/tuning/patterns/distillation.js';
import { openPatternNetwork, writePatternNetwork } from '../../../training/inference/pattern-file.js';
import { startParameters } from '../../../training/tuning/patterns/pattern-network.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const gess = createGame('gess', 'eureka');
const weights = quantise(startParameters(createRng(1, 'start')));

async function writtenNetwork(): Promise<string> {
  const folder = join(temporaryFolder(), 'patterns');
  await writePatternNetwork(folder, weights, {
    patternVersion: 1,
    game: { id: 'gess', rules: 'eureka', rulesVersion: 1 },
    positions: 10,
    startedFrom: null,
    heldBack: { positions: 1, error: 0.1 },
    softwareVersion: '1.0.0',
  });
  return folder;
}

test('a network that was written is opened, and an agent plays with it', async () => {
  const folder = await writtenNetwork();
  const evaluation = await openPatternNetwork(folder, gess);
  const state = gess.initialState();
  expect(Math.abs(evaluation.evaluate(state))).toBeLessThan(1000);
  const agent = await openAgent(`alphabeta:network=${folder},depth=1`, gess);
  const [choice] = await agent.chooseAll([{ state, rng: createRng(1) }]);
  expect(gess.isLegal(state, choice!.action)).toBe(true);
  await agent.dispose();
});

test('the network of the package is opened by its name', async () => {
  const openers = { openEvaluation: openPatternNetwork };
  const agent = await createAgent('alphabeta:network=gess,depth=1', gess, openers);
  expect(agent.name).toContain('network=gess');
  await agent.dispose();
});

test('the values of a forged network are no proofs', () => {
  const forged = { ...weights, outputBias: Int32Array.of(2 ** 30) };
  const evaluation = new PatternEvaluation('eureka', forged);
  expect(evaluation.evaluate(createGess({ rules: 'eureka' }).initialState())).toBe(MAX_EVALUATION - 1);
});

test.each<[string, (manifest: Manifest) => void, string]>([
  ['manifest-too-new', ({ details }) => (details['patternVersion'] = 2), 'pattern version 2'],
  ['manifest-too-new', (manifest) => (manifest.details = { patternVersion: 3 }), 'pattern version 3'],
  ['manifest-damaged', (manifest) => (manifest.details = {}), 'at patternVersion'],
  ['manifest-damaged', ({ details }) => (details['positions'] = -1), 'at positions'],
  ['manifest-damaged', (manifest) => (manifest.files = {}), 'expected the file patterns.bin, found none'],
])('%s: a sealed manifest with another version, details or files', async (code, change, problem) => {
  const folder = await writtenNetwork();
  const path = join(folder, 'manifest.json');
  const manifest = await readManifest(path, 'pattern-network');
  change(manifest);
  writeFileSync(path, sealJson(manifest, 'file'));
  await expect(openPatternNetwork(folder, gess)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(problem) as string,
  });
});

test('weights of another size are refused', async () => {
  const folder = await writtenNetwork();
  const path = join(folder, 'manifest.json');
  const { kind, details } = await readManifest(path, 'pattern-network');
  await writeWithManifest(path, new Map([['patterns.bin', 'short']]), { kind, details });
  await expect(openPatternNetwork(folder, gess)).rejects.toMatchObject({
    code: 'manifest-damaged',
    message: expect.stringContaining(`expected ${PATTERN_BYTES} bytes in patterns.bin, found 5`) as string,
  });
});

test('damage, other rules and other games are refused', async () => {
  const folder = await writtenNetwork();
  await expect(openPatternNetwork(folder, createGame('gess', 'gach'))).rejects.toMatchObject({
    code: 'model-mismatch',
  });
  await expect(openPatternNetwork(folder, createGame('quess'))).rejects.toMatchObject({
    code: 'model-mismatch',
  });
  await expect(openPatternNetwork(join(folder, 'none'), gess)).rejects.toMatchObject({
    code: 'model-missing',
  });
  const file = join(folder, 'patterns.bin');
  const bytes = readFileSync(file);
  expect(bytes.length).toBe(PATTERN_BYTES);
  bytes[1000]! ^= 1;
  writeFileSync(file, bytes);
  await expect(openPatternNetwork(folder, gess)).rejects.toMatchObject({ code: 'file-altered' });
  writeFileSync(file, bytes.subarray(0, 1000));
  await expect(openPatternNetwork(folder, gess)).rejects.toMatchObject({ code: 'file-cut' });
  writeFileSync(join(folder, 'manifest.json'), '{}');
  await expect(openPatternNetwork(folder, gess)).rejects.toMatchObject({ code: 'manifest-damaged' });
});
