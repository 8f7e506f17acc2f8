import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, InferenceSession, Tensor } from 'onnxruntime-web';
import {
  type Answers,
  answersOf,
  type CheckedPositions,
} from '../../../training/export/checked-positions.js';
import { EXPORT_FILES } from '../../../training/export/export-files.js';
import { readLegalAnswers, readRawLogits } from '../../../training/export/raw-logits.js';
import { predictGraphModel } from '../../../training/network/graph-model/graph-model.js';
import type { NetworkShape } from '../../../training/network/network-shape.js';
import { type Backend, loadBackend } from '../../../training/tensorflow/backend.js';
import { runPython } from '../../python.js';

/** A model's file and the positions for it. */
export interface Question {
  readonly path: string;
  readonly shape: NetworkShape;
  readonly positions: CheckedPositions;
}

/** Runs a model in one of the runtimes that front-ends use. */
export type Runtime = (question: Question) => Promise<Answers>;

const isPolicy = (path: string): boolean => path.endsWith(EXPORT_FILES.policy);

const inNode: Runtime = async ({ path, positions }) => {
  const model = readFileSync(path);
  if (!isPolicy(path)) return readLegalAnswers(model, positions);
  const { game, observations, count } = positions;
  return answersOf(await readRawLogits(game, model, observations, count), positions);
};

const inWebAssembly: Runtime = async ({ path, positions }) => {
  const { game, count, observations, width, legal } = positions;
  // More threads are slower, and browsers have them only on isolated pages.
  env.wasm.numThreads = 1;
  const session = await InferenceSession.create(readFileSync(path), { executionProviders: ['wasm'] });
  const observation = new Tensor('float32', observations, [count, ...game.observationShape]);
  const inputs = isPolicy(path)
    ? { observation }
    : { observation, legal: new Tensor('int32', legal, [count, width]) };
  const outputs = await session.run(inputs);
  await session.release();
  const data = new Map(Object.entries(outputs).map(([name, tensor]) => [name, tensor.data as Float32Array]));
  if (isPolicy(path)) return answersOf(data, positions);
  return { legalLogits: data.get('legalLogits')!, outcome: data.get('outcome')! };
};

const inTensorflow =
  (backend: Backend): Runtime =>
  async ({ path, shape, positions }) => {
    const { tf } = await loadBackend(backend, { threads: 2 });
    return answersOf(await predictGraphModel(tf, path, shape, positions.observations), positions);
  };

const inPython: Runtime = async ({ path, positions }) => {
  const { game, count, observations, width, legal } = positions;
  const folder = mkdtempSync(join(tmpdir(), 'gess-parity-'));
  try {
    const shapes = { observation: [count, ...game.observationShape], legal: [count, width] };
    writeFileSync(join(folder, 'positions.json'), JSON.stringify(shapes));
    writeFileSync(join(folder, 'observation.f32'), observations);
    writeFileSync(join(folder, 'legal.i32'), legal);
    const output = join(folder, 'answers.f32');
    await runPython([join(import.meta.dirname, 'answers.py'), folder, path, output]);
    const numbers = new Float32Array(new Uint8Array(readFileSync(output)).buffer);
    return { legalLogits: numbers.slice(0, count * width), outcome: numbers.slice(count * width) };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const { graph, policy, legal, int8 } = EXPORT_FILES;

/** The rows of the parity table: each runtime, with a name for people and the models that it runs. */
export const RUNTIMES: readonly {
  readonly name: string;
  readonly run: Runtime;
  readonly files: readonly string[];
}[] = [
  { name: 'onnxruntime-node', run: inNode, files: [policy, legal, int8] },
  { name: 'onnxruntime-web in Node', run: inWebAssembly, files: [policy, legal, int8] },
  { name: "Python's onnxruntime", run: inPython, files: [policy, legal, int8] },
  { name: 'TensorFlow.js in Node, native', run: inTensorflow('native'), files: [graph] },
  { name: 'TensorFlow.js in Node, WebAssembly', run: inTensorflow('wasm'), files: [graph] },
];
