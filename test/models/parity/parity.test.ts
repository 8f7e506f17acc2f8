// Measures the parity of the shipped models across the runtimes of front-ends and prints it: npm run parity
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSoftmax } from '../../../agents/evaluators/softmax.js';
import { isLong } from '../../long-tests.js';
import { createRng } from '../../../env/random.js';
import { markdownTable } from '../../../env/text/markdown-table.js';
import {
  answerDifference,
  type Answers,
  answersOf,
  type CheckedPositions,
  checkedPositions,
} from '../../../training/export/checked-positions.js';
import { EXPORT_FILES, INT8_TOLERANCE, TOLERANCE } from '../../../training/export/export-files.js';
import { readExportedNetwork } from '../../../training/export/exported-network.js';
import { readLegalAnswers } from '../../../training/export/raw-logits.js';
import { TensorNetwork } from '../../../training/network/tensor-network.js';
import { carefulPositions } from '../../../training/play/careful-positions.js';
import { loadTensorflow } from '../../../training/tensorflow/tensorflow.js';
import { needPackages, root } from '../../python.js';
import { type Question, RUNTIMES } from './runtimes.js';

const MODELS = ['gess', 'quess', 'connect-four'];
const POSITIONS = 200;

function toleranceOf(file: string): number {
  return file === EXPORT_FILES.int8 ? INT8_TOLERANCE : TOLERANCE;
}

/** Greatest difference of the probability of a move or of a result, with the int8 model in any program. */
const INT8_PROBABILITY = 0.03;

/** The answers with probabilities of moves and of results in place of logits. */
function probabilitiesOf(answers: Answers, { count, width, legalCounts }: CheckedPositions): Answers {
  const outcome = new Float32Array(answers.outcome.length);
  const legalLogits = new Float32Array(answers.legalLogits.length);
  const outcomes = outcome.length / count;
  for (let row = 0; row < count; row++) {
    const [first, start] = [row * outcomes, row * width];
    writeSoftmax(answers.outcome, outcome, { from: first, to: first, count: outcomes });
    writeSoftmax(answers.legalLogits, legalLogits, { from: start, to: start, count: legalCounts[row]! });
  }
  return { outcome, legalLogits };
}

/** Greatest difference from the trainer (int8: onnxruntime-node) over a model's positions, by runtime and file. */
async function measure(name: string): Promise<ReadonlyMap<string, number>> {
  const folder = join(root, 'models', name);
  const { game, network } = (await readExportedNetwork(folder))!;
  const positions = checkedPositions(game, carefulPositions(game, POSITIONS, createRng(7, 'parity')));
  const { shape, weights } = network;
  const trainer = new TensorNetwork(loadTensorflow({ threads: 2 }), shape);
  const float32 = answersOf(trainer.predict(weights, positions.observations, POSITIONS), positions);
  const int8 = await readLegalAnswers(readFileSync(join(folder, EXPORT_FILES.int8)), positions);
  const found = new Map<string, number>();
  for (const { name: runtime, run, files } of RUNTIMES) {
    for (const file of files) {
      const question: Question = { path: join(folder, file), shape, positions };
      const answers = await run(question);
      const expected = file === EXPORT_FILES.int8 ? int8 : float32;
      found.set(`${runtime} ${file}`, answerDifference(expected, answers, positions));
      if (file !== EXPORT_FILES.int8) continue;
      const [left, right] = [int8, answers].map((each) => probabilitiesOf(each, positions));
      expect(answerDifference(left!, right!, positions), `${runtime}, ${name}`).toBeLessThanOrEqual(
        INT8_PROBABILITY,
      );
    }
  }
  return found;
}

test.runIf(isLong)(
  `${POSITIONS} positions of each model in every runtime: within the tolerances of docs/how-to/use-a-model.md`,
  { timeout: 300_000 },
  async (context) => {
    await needPackages(context, 'python/requirements-models.txt', ['numpy', 'onnxruntime']);
    const measured: ReadonlyMap<string, number>[] = [];
    for (const name of MODELS) measured.push(await measure(name));
    const rows = RUNTIMES.flatMap(({ name, files }) => files.map((file) => ({ name, file })));
    const lines = rows.map(({ name, file }) => [
      name,
      `\`${file}\``,
      ...measured.map((found) => found.get(`${name} ${file}`)!.toExponential(1)),
    ]);
    console.log(markdownTable(['runtime', 'file', ...MODELS], lines));
    for (const { name, file } of rows) {
      for (const [index, found] of measured.entries()) {
        const difference = found.get(`${name} ${file}`)!;
        expect(difference, `${name}, ${file}, ${MODELS[index]!}`).toBeLessThanOrEqual(toleranceOf(file));
      }
    }
    const table = markdownTable(
      ['runtime', 'file', `greatest difference on ${POSITIONS} positions`],
      rows.map(({ name, file }) => [name, `\`${file}\``, `at most ${toleranceOf(file)}`]),
    );
    expect(readFileSync(join(root, 'docs', 'how-to', 'use-a-model.md'), 'utf8')).toContain(table);
  },
);
