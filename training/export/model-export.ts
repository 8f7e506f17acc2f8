import { join } from 'node:path';
import { firstSymmetries } from '../../agents/evaluators/first-symmetries.js';
import type { PlayOptions } from '../../agents/play-options.js';
import { exists, writeFileAtomic, writeFolderAtomic } from '../../data/files/atomic-file.js';
import { sealJson, sha256 } from '../../data/files/sealed-json.js';
import type { Rng } from '../../env/random.js';
import { modelMetadata, networkForPlay, type Checkpoint } from '../checkpoints/checkpoint.js';
import { CALIBRATION_SEED, calibrateOnCarefulPositions } from '../checkpoints/checkpoint-calibration.js';
import { EvaluationConfig, playOptionsOf } from '../config/groups/evaluation-config.js';
import { encodeGraphModel } from '../network/graph-model/graph-model.js';
import { encodeOnnxModel } from '../network/onnx/onnx-model.js';
import { TensorNetwork } from '../network/tensor-network.js';
import { carefulPositions } from '../play/careful-positions.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { TrainingError } from '../training-error.js';
import { answersOf, checkedPositions } from './checked-positions.js';
import { EXPORT_FILES, LISTED_FILES } from './export-files.js';
import { modelCard } from './model-card.js';
import { expectParity, measureParity, type Parity } from './model-parity.js';
import { describeModel } from './model-spec.js';
import { readLegalAnswers } from './raw-logits.js';
import { type ModelSpec, specJsonSchema } from './spec-schema.js';
import { formatTestVectors } from './vectors/test-vectors.js';
import { makeTestVectors } from './vectors/vector-making.js';

/** Number of test vectors. */
const VECTORS = 20;
const NO_NOTES = '## Training\n\nNo records of its training were exported with it.';

/** Options of `exportModel`. */
export interface ExportOptions {
  /** Samples the positions on which the files are compared, and those of the test vectors. */
  readonly rng: Rng;
  /** Agent options with which the network plays best. Defaults to those of matches in runs. */
  readonly play?: PlayOptions | undefined;
  /** Licence of the model, an SPDX identifier. Defaults to none. */
  readonly license?: string | undefined;
  /** Markdown for the model card: training, data, strength. */
  readonly notes?: string | undefined;
  /** The int8 model of the checkpoint. By default it is calibrated on positions of careful random play. */
  readonly int8?: Uint8Array | undefined;
}

/** Result of `exportModel`. */
export interface ExportResult {
  readonly folder: string;
  /** SHA-256 by file name, `spec.json` included. */
  readonly files: Readonly<Record<string, string>>;
  readonly parity: Parity;
}

type Contents = Map<string, string | Uint8Array>;

async function encodeModels(
  tf: Tensorflow,
  checkpoint: Checkpoint,
  int8: Uint8Array | undefined,
): Promise<Contents> {
  const metadata = modelMetadata(checkpoint);
  const network = networkForPlay(checkpoint);
  const graph = encodeGraphModel(network, metadata, EXPORT_FILES.weights);
  const calibrated = async (): Promise<Uint8Array> => {
    const calibration = await calibrateOnCarefulPositions(tf, checkpoint, CALIBRATION_SEED);
    return encodeOnnxModel(network, 'legal', metadata, calibration);
  };
  return new Map<string, string | Uint8Array>([
    [EXPORT_FILES.graph, graph.modelJson],
    [EXPORT_FILES.weights, graph.weights],
    [EXPORT_FILES.policy, encodeOnnxModel(network, 'policy', metadata)],
    [EXPORT_FILES.legal, encodeOnnxModel(network, 'legal', metadata)],
    [EXPORT_FILES.int8, int8 ?? (await calibrated())],
  ]);
}

/** Test vectors: the first position of the game, and others of careful random play. */
async function encodeVectors(
  tf: Tensorflow,
  checkpoint: Checkpoint,
  int8: Uint8Array,
  rng: Rng,
): Promise<string> {
  const { game } = checkpoint;
  const states = [game.initialState(), ...carefulPositions(game, VECTORS - 1, rng)];
  const positions = checkedPositions(game, states);
  const { shape, weights } = networkForPlay(checkpoint);
  const outputs = new TensorNetwork(tf, shape).predict(weights, positions.observations, VECTORS);
  const answers = {
    float32: answersOf(outputs, positions),
    int8: await readLegalAnswers(int8, positions),
  };
  return formatTestVectors(makeTestVectors(positions, states, answers));
}

async function writeContents(folder: string, contents: Contents): Promise<void> {
  for (const [name, bytes] of contents) await writeFileAtomic(join(folder, name), bytes);
}

/**
 * Exports a checkpoint's network for other programs (export-files.ts). The files are compared with the trainer on real
 * positions before the folder is renamed into place.
 *
 * @throws TrainingError `export-exists`, `export-mismatch`; neither leaves any file.
 * @throws DataError `disk-full`, `write-failed`; AgentError `model-unreadable` for `int8`, `agent-option` if the game has
 *   fewer symmetries than `play`.
 */
export async function exportModel(
  tf: Tensorflow,
  checkpoint: Checkpoint,
  folder: string,
  { rng, play = playOptionsOf(EvaluationConfig.parse({})), license, notes = NO_NOTES, int8 }: ExportOptions,
): Promise<ExportResult> {
  if (await exists(folder)) {
    throw new TrainingError('export-exists', `expected a new folder, ${folder} exists`);
  }
  // Agents of a model with more symmetries than its game has could not be opened.
  firstSymmetries(checkpoint.game, play.symmetries ?? 1);
  const contents = await encodeModels(tf, checkpoint, int8);
  const modelOf = (name: string): Uint8Array => contents.get(name) as Uint8Array;
  const facts = { play, license: license ?? null };
  let result: ExportResult | undefined;
  await writeFolderAtomic(folder, async (temporary) => {
    await writeContents(temporary, contents);
    const parity = await measureParity(tf, checkpoint, { folder: temporary, modelOf, rng });
    expectParity(folder, parity);
    const vectors = await encodeVectors(tf, checkpoint, modelOf(EXPORT_FILES.int8), rng);
    const words: Contents = new Map([
      [EXPORT_FILES.vectors, vectors],
      [EXPORT_FILES.specSchema, `${JSON.stringify(specJsonSchema(), undefined, 2)}\n`],
      [EXPORT_FILES.card, modelCard(checkpoint, { ...facts, parity, notes })],
    ]);
    await writeContents(temporary, words);
    const all = new Map([...contents, ...words]);
    const files = Object.fromEntries(
      LISTED_FILES.map((name) => [name, sha256(all.get(name)!)]),
    ) as ModelSpec['files'];
    const spec = sealJson(describeModel(checkpoint, { ...facts, files, parity }), 'file');
    await writeFileAtomic(join(temporary, EXPORT_FILES.spec), spec);
    result = { folder, files: { ...files, [EXPORT_FILES.spec]: sha256(spec) }, parity };
  });
  return result!;
}
