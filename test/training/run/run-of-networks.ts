import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng } from '../../../env/random.js';
import { checkpointModelPath } from '../../../training/checkpoints/checkpoint-files.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { createNetwork } from '../../../training/network/network.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';
import { openRun, type Run } from '../../../training/run/run-folder.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

/** A run of Connect Four whose generation `i` is a network drawn with `seeds[i]`: equal seeds, equal networks. */
export async function runOfNetworks(seeds: readonly number[], settings: object): Promise<Run> {
  const config = RunConfig.parse({
    game: { id: 'connect-four' },
    network: { channels: 4, blocks: 1, valueHidden: 8 },
    ...settings,
  });
  const run = await openRun(join(temporaryFolder(), 'run'), { config, resume: false, versions: {} });
  run.lock.release();
  const shape = networkShape(connectFour, NetworkConfig.parse(config.network));
  const { id: game, rules, rulesVersion, encodingVersion } = connectFour;
  const metadata = {
    game,
    rules,
    rulesVersion: String(rulesVersion),
    encodingVersion: String(encodingVersion),
  };
  for (const [generation, seed] of seeds.entries()) {
    const folder = run.paths.checkpoint(generation);
    mkdirSync(folder, { recursive: true });
    const network = createNetwork(shape, createRng(seed));
    // Small random weights give even networks: larger ones differ in play.
    network.weights.forEach((weight, index) => (network.weights[index] = weight * 3));
    writeFileSync(checkpointModelPath(folder), encodeOnnxModel(network, 'legal', metadata));
  }
  return run;
}
