import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Manifest, writeManifestOf } from '../../../data/files/manifest.js';
import { readCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import { CHECKPOINT_KIND, checkpointManifestPath } from '../../../training/checkpoints/checkpoint-files.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { readSpec } from '../../../training/export/spec-file.js';
import { newRunFile, readRunFileAt, writeRunFile } from '../../../training/run/run-file.js';
import { runPaths } from '../../../training/run/run-paths.js';
import { readRecords } from '../../../training/run/run-record-file.js';
import { isSealed } from '../../../training/tensorflow/native/sealed-folder.js';
import { evaluationRecord, metricsRecord } from '../../training/run/record-fixtures.js';
import { mutants } from '../mutated-bytes.js';
import { fuzz } from '../fuzz.js';
import { fuzzFolder } from '../fuzz-folder.js';
import { hostileTexts } from '../hostile-texts.js';
import { JSON_WORDS, parsedIfJson, resealed } from './resealed.js';
import { takes } from '../refusal.js';

const folder = fuzzFolder();

const paths = runPaths(folder);
const config = RunConfig.parse({ seed: 3, game: { id: 'connect-four' }, generations: 4 });
await writeRunFile(paths.runFile, newRunFile({ versions: { node: '20.19.0' }, origin: null, config }));
const RUN_FILES = [readFileSync(paths.runFile, 'utf8')];

fuzz('the run.json of a run, with a new checksum', {
  input: fc.record({ text: hostileTexts(fc.constantFrom(...RUN_FILES), JSON_WORDS), seal: fc.boolean() }),
  runs: 100,
  law: ({ text, seal }) => {
    writeFileSync(paths.runFile, seal ? resealed(text, 'file') : text);
    return takes(() => readRunFileAt(paths.runFile));
  },
});

const RECORDS = {
  metrics: [metricsRecord(1), metricsRecord(2, { workerBytes: 12 })],
  evaluations: [evaluationRecord(1, 'random'), evaluationRecord(2, 'careful')],
} as const;

fuzz('records of a run, with new checksums', {
  input: fc.constantFrom('metrics', 'evaluations').chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      lines: fc.array(
        hostileTexts(fc.constantFrom(...RECORDS[kind].map((record) => JSON.stringify(record))), JSON_WORDS),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  ),
  runs: 150,
  law: ({ kind, lines }) => {
    writeFileSync(paths[kind], lines.map((line) => resealed(line, 'line')).join('\n'));
    return takes(() => readRecords(paths, kind));
  },
});

const SPEC = readFileSync(join(import.meta.dirname, '../../../models/connect-four/spec.json'), 'utf8');

fuzz('the spec.json of a model, with a new checksum', {
  input: hostileTexts(fc.constant(SPEC), JSON_WORDS),
  runs: 100,
  law: (text) => {
    const path = join(folder, 'spec.json');
    writeFileSync(path, resealed(text, 'file'));
    return takes(() => readSpec(path));
  },
});

const CHECKPOINT = join(import.meta.dirname, '../../fixtures/checkpoint');
const CHECKPOINT_NAMES = readdirSync(CHECKPOINT).filter((name) => name !== 'manifest.json');
const DETAILS = (
  JSON.parse(readFileSync(checkpointManifestPath(CHECKPOINT), 'utf8')) as { readonly details: object }
).details;

fuzz('a checkpoint with any bytes and a new manifest', {
  input: fc.record({
    file: mutants(CHECKPOINT_NAMES.map((name) => readFileSync(join(CHECKPOINT, name)))),
    details: fc.oneof(
      { weight: 3, arbitrary: fc.constant(JSON.stringify(DETAILS)) },
      { weight: 1, arbitrary: hostileTexts(fc.constant(JSON.stringify(DETAILS)), JSON_WORDS) },
    ),
  }),
  runs: 60,
  law: async ({ file: { base, bytes }, details }) => {
    const copy = join(folder, 'checkpoint');
    cpSync(CHECKPOINT, copy, { recursive: true });
    writeFileSync(join(copy, CHECKPOINT_NAMES[base]!), bytes);
    const files = CHECKPOINT_NAMES.map((name) => join(copy, name));
    const subject = { kind: CHECKPOINT_KIND, details: parsedIfJson(details) as Manifest['details'] };
    await writeManifestOf(checkpointManifestPath(copy), files, subject);
    return takes(() => readCheckpoint(copy));
  },
});

const EMPTY = { bytes: 0, sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' };

fuzz("the seal of the set-up's cache", {
  input: hostileTexts(fc.constant(JSON.stringify({ files: { a: EMPTY } })), [
    ...JSON_WORDS,
    '"../a"',
    '"/a"',
  ]),
  runs: 100,
  law: async (text) => {
    writeFileSync(join(folder, 'a'), '');
    writeFileSync(join(folder, 'seal.json'), text);
    return await isSealed(folder, { check: 'contents', needed: ['a'] });
  },
});
