import { join } from 'node:path';
import { DataError } from '../../data/data-error.js';
import { describeFound } from '../../data/files/output-folder.js';
import { CodedError } from '../../env/errors.js';
import { modelMetadata } from '../checkpoints/checkpoint.js';
import { encodeGraphModel, predictGraphModel } from '../network/graph-model/graph-model.js';
import type { Network } from '../network/network.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { TrainingError } from '../training-error.js';
import {
  type Answers,
  answerDifference,
  answersOf,
  type CheckedPositions,
  type ModelOutputs,
} from './checked-positions.js';
import { EXPORT_FILES, INT8_TOLERANCE, LISTED_FILES, TOLERANCE } from './export-files.js';
import { readExportedFile } from './exported-file.js';
import { readExportedNetwork } from './exported-network.js';
import { expectFacts } from './model-spec.js';
import { readLegalAnswers, readRawLogits } from './raw-logits.js';
import { readWholeSpec } from './whole-spec.js';
import { readTestVectors } from './vectors/test-vectors.js';
import { expectedAnswers, replayVectors } from './vectors/vector-check.js';
import { errorText } from '../../env/text/error-text.js';

/** Result of verifying an export; plain JSON. */
export interface ExportProof {
  readonly folder: string;
  readonly game: string;
  readonly rules: string;
  readonly generation: number;
  /** Names of the files whose checksums match. */
  readonly files: readonly string[];
  /** Number of test vectors. */
  readonly positions: number;
  /** The models that were run on the test vectors. */
  readonly models: readonly ModelProof[];
}

/** A model that agrees with the test vectors. */
export interface ModelProof {
  readonly file: string;
  /** Greatest difference in a logit, at most `tolerance`. */
  readonly difference: number;
  readonly tolerance: number;
}

/**
 * Checks that a graph is one that this program writes for the network, now or in version 1.0.0. TensorFlow.js trusts
 * graphs, so any other one could allocate any amount of memory or never end.
 *
 * @throws TrainingError `export-foreign`.
 */
function expectOwnGraph(
  path: string,
  graph: Buffer,
  network: Network,
  metadata: Record<string, string>,
): void {
  for (const hasTableOfPairs of [false, true]) {
    const { modelJson } = encodeGraphModel(network, metadata, EXPORT_FILES.weights, hasTableOfPairs);
    if (graph.equals(Buffer.from(modelJson))) return;
  }
  throw new TrainingError(
    'export-foreign',
    `expected a graph that this program writes for the network of spec.json in ${path}, found another; it was not run`,
  );
}

/** A model to run on the test vectors. */
interface ModelRun {
  readonly file: string;
  readonly tolerance: number;
  readonly expected: Answers;
  readonly run: () => Promise<Answers>;
}

/** The models of an export in the order in which they run. */
function modelRuns(
  { tf, network, read, pathOf }: ExportReading,
  positions: CheckedPositions,
  expected: ReturnType<typeof expectedAnswers>,
): readonly ModelRun[] {
  const { game, observations, count } = positions;
  const float32 = { tolerance: TOLERANCE, expected: expected.float32 };
  const int8 = { tolerance: INT8_TOLERANCE, expected: expected.int8 };
  const graphOutputs = async (): Promise<ModelOutputs> =>
    predictGraphModel(tf, pathOf(EXPORT_FILES.graph), network.shape, observations);
  const policyOutputs = async (): Promise<ModelOutputs> =>
    readRawLogits(game, await read(EXPORT_FILES.policy), observations, count);
  const legalAnswers = async (file: string): Promise<Answers> =>
    readLegalAnswers(await read(file), positions);
  return [
    { file: EXPORT_FILES.graph, ...float32, run: async () => answersOf(await graphOutputs(), positions) },
    { file: EXPORT_FILES.policy, ...float32, run: async () => answersOf(await policyOutputs(), positions) },
    { file: EXPORT_FILES.legal, ...float32, run: async () => legalAnswers(EXPORT_FILES.legal) },
    { file: EXPORT_FILES.int8, ...int8, run: async () => legalAnswers(EXPORT_FILES.int8) },
  ];
}

/** Runs a model. A runtime may fail on forged constants, such as indices out of range, with an error of its own. */
async function runModel(path: string, { run }: ModelRun): Promise<Answers> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CodedError) throw error;
    const [reason] = errorText(error).split('\n', 1);
    throw new TrainingError('export-mismatch', `expected ${path} to run on the test vectors, but ${reason}`, {
      cause: error,
    });
  }
}

async function proveModel(path: string, model: ModelRun, positions: CheckedPositions): Promise<ModelProof> {
  const { file, tolerance, expected } = model;
  const difference = answerDifference(expected, await runModel(path, model), positions);
  if (difference <= tolerance) return { file, difference, tolerance };
  throw new TrainingError(
    'export-mismatch',
    `expected the outputs of ${path} within ${tolerance} of the test vectors, found a difference of ${difference}`,
  );
}

/** An export whose checksums match. */
interface ExportReading {
  readonly tf: Tensorflow;
  readonly network: Network;
  readonly pathOf: (name: string) => string;
  readonly read: (name: string) => Promise<Buffer>;
}

/**
 * Verifies an export: the form of `spec.json` and its facts about game and network, all checksums, the test vectors
 * against the rules of this program, and the outputs of every model for them.
 *
 * @throws DataError `manifest-missing` without `spec.json`, `manifest-damaged`, `file-altered`, `file-missing`,
 *   `file-unreadable`, `file-too-large`; AgentError `model-mismatch` (too new, or of another form), `model-unreadable`;
 *   TrainingError `export-mismatch`, `export-foreign`, `checkpoint-damaged`, `checkpoint-game`; NotationError
 *   `game-unknown`, `rules-unknown`.
 */
export async function proveExport(tf: Tensorflow, folder: string): Promise<ExportProof> {
  const pathOf = (name: string): string => join(folder, name);
  const spec = await readWholeSpec(pathOf(EXPORT_FILES.spec));
  if (spec === null) {
    const found = await describeFound(folder, `no ${EXPORT_FILES.spec} there`);
    throw new DataError('manifest-missing', `expected an export in ${folder}, found ${found}`);
  }
  const read = async (name: string): Promise<Buffer> => readExportedFile(spec, pathOf(name));
  for (const name of LISTED_FILES) await read(name);
  // Not null, because `spec.json` exists.
  const checkpoint = (await readExportedNetwork(folder))!;
  const { game, network, generation } = checkpoint;
  expectFacts(pathOf(EXPORT_FILES.spec), spec, checkpoint);
  const graphPath = pathOf(EXPORT_FILES.graph);
  expectOwnGraph(graphPath, await read(EXPORT_FILES.graph), network, modelMetadata(checkpoint));
  const vectorsPath = pathOf(EXPORT_FILES.vectors);
  const vectors = await readTestVectors(vectorsPath);
  const positions = replayVectors(vectorsPath, vectors, game);
  const models: ModelProof[] = [];
  const expected = expectedAnswers(vectors, positions);
  for (const model of modelRuns({ tf, network, read, pathOf }, positions, expected)) {
    models.push(await proveModel(pathOf(model.file), model, positions));
  }
  const files = [EXPORT_FILES.spec, ...LISTED_FILES];
  return { folder, game: game.id, rules: game.rules, generation, files, positions: positions.count, models };
}
