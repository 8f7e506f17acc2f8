// Runs ONNX models on the same random inputs: node model-outputs.mjs FILE... prints their outputs as JSON, one list per
// model.
import { readFileSync } from 'node:fs';
import { createRng } from '../../../dist/env/random.js';
import { openOnnxModel } from '../../../dist/training/inference/onnx-session.js';

const POSITIONS = 2;
const LEGAL_ACTIONS = 50;

async function outputsOf(path) {
  const session = await openOnnxModel(readFileSync(path), path);
  const rng = createRng(1, 'inputs');
  const shape = [POSITIONS, ...session.inputs.get('observation').slice(1)];
  const planes = new Float32Array(shape.reduce((product, length) => product * length, 1));
  // Half of all squares are full, so activations are greater than in any position of a game.
  planes.forEach((_, i) => (planes[i] = rng.integer(2)));
  const legal = Int32Array.from({ length: POSITIONS * LEGAL_ACTIONS }, () => rng.integer(10_000));
  const outputs = await session.run({
    observation: { data: planes, shape },
    legal: { data: legal, shape: [POSITIONS, LEGAL_ACTIONS] },
  });
  await session.dispose();
  return [...outputs.values()].flatMap((values) => [...values]);
}

const results = [];
for (const path of process.argv.slice(2)) results.push(await outputsOf(path));
process.stdout.write(JSON.stringify(results));
