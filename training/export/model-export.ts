import { join } from 'node:path';
import type { PlayOptions } from '../../agents/play-options.js';
import { exists, writeFileAtomic, writeFolderAtomic } from '../../data/files/atomic-file.js';
import { sealJson, sha256 } from '../../data/files/sealed-json.js';
import type { Rng } from '../../env/random.js';
import { modelMetadata, networkForPlay, type Checkpoint } from '../checkpoints/checkpoint.js';
import { EvaluationConfig, playOptionsOf } from '../config/evaluation-config.js';
import { encodeGraphModel, WEIGHTS_FILE } from '../network/graph-model/graph-model.js';
import { encodeOnnxModel } from '../network/onnx/onnx-model.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import { TrainingError } from '../training-error.js';
import { measureParity, type Parity } from './model-parity.js';
import { describeModel, SPEC_FILE, TOLERANCE } from './model-spec.js';

const MODEL_FILE = 'model.json';
const ONNX_FILE = 'model.onnx';
/** The files of an export beside `spec.json`. */
export const EXPORTED_FILES = [MODEL_FILE, WEIGHTS_FILE, ONNX_FILE] as const;

/** Options of `exportModel`. */
export interface ExportOptions {
  /** Samples the positions on which the files are compared. */
  readonly rng: Rng;
  /** Options of agents with which the network plays best. Defaults to those of matches in runs. */
  readonly play?: PlayOptions | undefined;
}

/** Result of `exportModel`. */
export interface ExportResult {
  readonly folder: string;
  /** SHA-256 by file name, `spec.json` included. */
  readonly files: Readonly<Record<string, string>>;
  readonly parity: Parity;
}

/**
 * Exports a checkpoint's network for other programs: `model.json` and `weights.bin` (TensorFlow.js, a graph model),
 * `model.onnx`, `spec.json`. They are compared with the trainer on real positions before the folder is renamed into
 * place.
 *
 * @throws TrainingError `export-exists`, `export-mismatch`; neither leaves any file.
 * @throws DataError `disk-full`, `write-failed`.
 */
export async function exportModel(
  tf: Tensorflow,
  checkpoint: Checkpoint,
  folder: string,
  { rng, play = playOptionsOf(EvaluationConfig.parse({})) }: ExportOptions,
): Promise<ExportResult> {
  if (await exists(folder)) {
    throw new TrainingError('export-exists', `expected a new folder, ${folder} exists`);
  }
  const metadata = modelMetadata(checkpoint);
  const network = networkForPlay(checkpoint);
  const graph = encodeGraphModel(network, metadata);
  const contents: Readonly<Record<string, string | Uint8Array>> = {
    [MODEL_FILE]: graph.modelJson,
    [WEIGHTS_FILE]: graph.weights,
    [ONNX_FILE]: encodeOnnxModel(network, 'policy', metadata),
  };
  const files = Object.fromEntries(Object.entries(contents).map(([name, bytes]) => [name, sha256(bytes)]));
  let result: ExportResult | undefined;
  await writeFolderAtomic(folder, async (temporary) => {
    for (const [name, bytes] of Object.entries(contents)) await writeFileAtomic(join(temporary, name), bytes);
    const models = { graph: join(temporary, MODEL_FILE), onnx: join(temporary, ONNX_FILE) };
    const parity = await measureParity(tf, models, checkpoint, rng);
    const worst = Math.max(parity.tensorflowJs, parity.onnx);
    if (worst > TOLERANCE) {
      throw new TrainingError(
        'export-mismatch',
        `expected the written files to be within ${TOLERANCE} of the trainer, found differences of ` +
          `${parity.tensorflowJs} (TensorFlow.js) and ${parity.onnx} (ONNX); nothing was written to ${folder}`,
      );
    }
    const spec = sealJson(describeModel(checkpoint, { files, parity, play }), 'file');
    await writeFileAtomic(join(temporary, SPEC_FILE), spec);
    result = { folder, files: { ...files, [SPEC_FILE]: sha256(spec) }, parity };
  });
  return result!;
}
