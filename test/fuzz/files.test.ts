import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { DataError } from '../../data/data-error.js';
import { compileFilter, FILTER_FIELDS } from '../../data/datasets/row-filter.js';
import { type Manifest, readManifest } from '../../data/files/manifest.js';
import { sealJson } from '../../data/files/sealed-json.js';
import { digestOfConfig, parseConfigJson, parseRunConfig } from '../../training/config/config-file.js';
import type { RunConfig } from '../../training/config/run-config.js';
import { TrainingError } from '../../training/training-error.js';
import { fuzz } from './fuzz.js';
import { hostileTexts } from './hostile-texts.js';
import { checkRefusal, checkRoundTrip, readOrRefuse } from './refusal.js';

const folder = mkdtempSync(join(tmpdir(), 'gess-fuzz-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const JSON_WORDS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  'null',
  'true',
  '1',
  '-0',
  '1e999',
  '""',
  '\\ud800',
  ' ',
];

const CONFIGS = [
  {},
  { seed: 7, generations: 2, game: { id: 'quess', rules: 'standard,clock=180' } },
  { network: { channels: 8, blocks: 1 }, warmStart: { agent: 'alphabeta:depth=2', games: 4 } },
  {
    selfPlay: { processes: 1, search: { simulations: 16 }, temperature: 0.5 },
    replay: { windowGenerations: 2 },
  },
  {
    learner: { batchSize: 32, learningRate: 0.001, symmetries: false },
    evaluation: { opponents: ['random'], games: 4 },
  },
].map((config) => JSON.stringify(config));
const CONFIG_WORDS = [
  ...JSON_WORDS,
  ...[
    '"$schema":"x"',
    '"seed":',
    '"game":{"id":"gess"}',
    '"network":{',
    '"opponents":["mcts"]',
    '"every":0',
    '"__proto__":{},',
  ],
];

fuzz('the configuration of a run', {
  input: hostileTexts(fc.constantFrom(...CONFIGS), CONFIG_WORDS),
  runs: 300,
  law: (text) => {
    const read = (words: string): RunConfig => parseRunConfig(parseConfigJson(words, 'the text'), 'the text');
    const found = readOrRefuse(() => read(text), TrainingError, ['config-syntax', 'config-invalid']);
    if (found === undefined) return false;
    checkRoundTrip<RunConfig>(found.value, {
      read,
      write: (config) => JSON.stringify(config),
      portrait: digestOfConfig,
    });
    return true;
  },
});

const MANIFESTS = [
  {
    manifestVersion: 1,
    kind: 'shard',
    files: { 'a.arrow': { bytes: 3, sha256: 'ab'.repeat(32) } },
    details: {},
  },
  {
    manifestVersion: 1,
    kind: 'shard',
    files: {},
    details: { jobDigest: 'x', statistics: [1, { plies: null }] },
  },
].flatMap((manifest) => [JSON.stringify(manifest), sealJson(manifest, 'file')]);
const MANIFEST_WORDS = [
  ...JSON_WORDS,
  ...[
    '"manifestVersion":1',
    '"kind":"shard"',
    '"files":{',
    '"details":{}',
    '"bytes":',
    '"sha256":',
    '"../a":',
    '"__proto__":{},',
  ],
];

fuzz('a manifest', {
  input: hostileTexts(fc.constantFrom(...MANIFESTS), MANIFEST_WORDS),
  runs: 300,
  law: async (text) => {
    const path = join(folder, 'manifest.json');
    const read = async (words: string): Promise<Manifest | undefined> => {
      writeFileSync(path, words);
      try {
        return await readManifest(path, 'shard');
      } catch (error) {
        checkRefusal(error);
        assert.ok(error instanceof DataError);
        assert.ok(['manifest-damaged', 'manifest-too-new'].includes(error.code), error.code);
        return undefined;
      }
    };
    const manifest = await read(text);
    if (manifest === undefined) return false;
    assert.deepStrictEqual(await read(sealJson(manifest, 'file')), JSON.parse(JSON.stringify(manifest)));
    return true;
  },
});

const CONDITIONS = ['ply=10..40', 'result=won,none', 'rootValue=-0.5..', 'gameId=1,3..6', 'surprise=none'];
const CONDITION_WORDS = [
  ...FILTER_FIELDS,
  '=',
  '..',
  ',',
  '-',
  '1e9',
  'NaN',
  'won',
  'drawn',
  '0.5',
  '__proto__',
  'toString',
];

fuzz('a condition on rows', {
  input: hostileTexts(fc.constantFrom(...CONDITIONS), CONDITION_WORDS),
  runs: 300,
  law: (text) => {
    try {
      compileFilter({ where: [text], sample: 1, seed: 1 });
      return true;
    } catch (error) {
      checkRefusal(error);
      assert.ok(error instanceof DataError);
      assert.equal(error.code, 'dataset-filter');
      return false;
    }
  },
});
