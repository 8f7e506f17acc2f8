import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createAgent } from '../../../agents/create-agent.js';
import { sealJson, sha256 } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { openModelFile } from '../../../training/export/model-file.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { createNetwork } from '../../../training/network/network.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';
import { fuzz } from '../fuzz.js';
import { fuzzFolder } from '../fuzz-folder.js';
import { mutants } from '../mutated-bytes.js';
import { takes } from '../refusal.js';
import { editedModels } from './onnx-edits.js';

const folder = join(fuzzFolder(), 'model');
mkdirSync(folder);
const MODEL = join(folder, 'model.onnx');

const GAMES = ['connect-four', 'gess'].map((id) => createGame(id));
const config = NetworkConfig.parse({ channels: 4, blocks: 1, valueHidden: 4 });
const MODELS = [
  encodeOnnxModel(createNetwork(networkShape(GAMES[0]!, config), createRng(5)), 'legal'),
  readFileSync(join(import.meta.dirname, '../../../models/gess/checkpoint/model-int8.onnx')),
];

fuzz('an ONNX model, with a new checksum', {
  input: fc.oneof({ weight: 3, arbitrary: editedModels(MODELS) }, { weight: 1, arbitrary: mutants(MODELS) }),
  runs: 100,
  law: async ({ base, bytes }) => {
    const game = GAMES[base]!;
    const { id, rules, rulesVersion, encodingVersion } = game;
    const spec = { specVersion: 1, game: id, rules, rulesVersion, encodingVersion };
    writeFileSync(MODEL, bytes);
    writeFileSync(
      join(folder, 'spec.json'),
      sealJson({ ...spec, files: { 'model.onnx': sha256(bytes) } }, 'file'),
    );
    return takes(async () => {
      const agent = await createAgent(`policy:model=${folder}`, game, openModelFile);
      try {
        const state = game.initialState();
        const [choice] = await agent.chooseAll([{ state, rng: createRng(1, 'fuzz') }]);
        assert.ok(game.isLegal(state, choice!.action));
      } finally {
        await agent.dispose();
      }
    });
  },
});
