import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DataError } from '../../../data/data-error.js';
import { readDatasetCard, writeDatasetCard } from '../../../data/datasets/dataset-card-file.js';
import { type Manifest, readManifest } from '../../../data/files/manifest.js';
import { sealJson } from '../../../data/files/sealed-json.js';
import { readShard, writeShard } from '../../../data/shards/shard.js';
import { shardName } from '../../../data/arrow-names.js';
import { verify } from '../../../training/run/run-verification.js';
import { FIXTURE_SHARD } from '../../data/fixture-shard.js';
import { fuzz } from '../fuzz.js';
import { fuzzFolder } from '../fuzz-folder.js';
import { hostileTexts } from '../hostile-texts.js';
import { checkRefusal, takes } from '../refusal.js';
import { JSON_WORDS, resealed } from './resealed.js';

const folder = fuzzFolder();

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

const dataset = join(folder, 'dataset');
mkdirSync(dataset);
await writeShard(join(dataset, shardName(0)), await readShard(FIXTURE_SHARD));
await writeDatasetCard(dataset, {
  name: 'games',
  origin: {
    words: { author: 'A. Author', license: 'CC0-1.0' },
    madeBy: {
      operation: 'merge',
      options: { where: ['ply=10..40'] },
      sources: [{ name: 'a', rows: 12, sha256: 'ab'.repeat(32) }],
    },
  },
  softwareVersion: '0.1.0',
});
const CARD = join(dataset, 'dataset.json');
const CARDS = [readFileSync(CARD, 'utf8')];
const CARD_WORDS = [
  ...JSON_WORDS,
  '"details":',
  '"words":{',
  '"madeBy":null',
  '"rows":',
  '"seeds":[',
  '"files":{',
];
const DATASET_FILES = readdirSync(dataset).sort();

fuzz('the dataset.json of a dataset, with a new checksum', {
  input: fc.record({ text: hostileTexts(fc.constantFrom(...CARDS), CARD_WORDS), seal: fc.boolean() }),
  runs: 100,
  law: async ({ text, seal }) => {
    writeFileSync(CARD, seal ? resealed(text, 'file') : text);
    const { problems } = await verify(dataset, { deep: true });
    for (const { path, code } of problems) {
      assert.ok(path.startsWith(dataset), path);
      assert.notEqual(code, 'check-failed');
    }
    assert.deepEqual(readdirSync(dataset).sort(), DATASET_FILES);
    return takes(() => readDatasetCard(dataset));
  },
});
