import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Manifest, readAnyManifest, writeManifestOf } from '../../../data/files/manifest.js';
import { CHECKPOINT_KIND, checkpointManifestPath } from '../../../training/checkpoints/checkpoint-files.js';
import { readCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import { fuzz } from '../fuzz.js';
import { fuzzFolder } from '../fuzz-folder.js';
import { hostileTexts } from '../hostile-texts.js';
import { takes } from '../refusal.js';
import { JSON_WORDS } from './resealed.js';

const SOUND = join(import.meta.dirname, '../../fixtures/checkpoint');
const checkpoint = join(fuzzFolder(), 'checkpoint');
cpSync(SOUND, checkpoint, { recursive: true });
const manifestPath = checkpointManifestPath(checkpoint);
const { files, details }: Manifest = await readAnyManifest(manifestPath);
const PATHS = Object.keys(files).map((name) => join(checkpoint, name));

const WORDS = [
  ...[
    ...JSON_WORDS,
    '"weightsManifest":[',
    '"modelTopology":{',
    '"node":[',
    '"shape":[',
    '"dtype":"float32"',
  ],
  ...[
    '"userDefinedMetadata":{',
    '"name":"',
    '"op":"Const"',
    '"op":"WriteFile"',
    '"paths":["/dev/zero"]',
    '4e9',
  ],
];

fuzz('the model.json of a checkpoint, with a new checksum', {
  input: hostileTexts(fc.constant(readFileSync(join(SOUND, 'model.json'), 'utf8')), WORDS),
  runs: 100,
  law: async (text) => {
    writeFileSync(join(checkpoint, 'model.json'), text);
    await writeManifestOf(manifestPath, PATHS, { kind: CHECKPOINT_KIND, details });
    return takes(() => readCheckpoint(checkpoint));
  },
});
