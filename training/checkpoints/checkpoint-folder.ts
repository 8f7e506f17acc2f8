import { DataError } from '../../data/data-error.js';
import { exists, writeFolderAtomic } from '../../data/files/atomic-file.js';
import {
  readListedFile,
  readManifest,
  readWithManifest,
  writeWithManifest,
} from '../../data/files/manifest.js';
import { describeFound } from '../../data/files/output-folder.js';
import type { Calibration } from '../network/calibration.js';
import { encodeGraphModel } from '../network/graph-model/graph-model.js';
import { littleEndian } from '../network/little-endian.js';
import { gameOfNetwork } from '../network/network-shape.js';
import { encodeOnnxModel } from '../network/onnx/onnx-model.js';
import { TrainingError } from '../training-error.js';
import { type Checkpoint, modelMetadata, networkForPlay } from './checkpoint.js';
import { checkpointDetails, gameOf, parseDetails } from './checkpoint-details.js';
import {
  CHECKPOINT_FILES,
  CHECKPOINT_KIND,
  checkpointManifestPath,
  checkpointModelPath,
} from './checkpoint-files.js';
import { readNetworks, readOptimizer } from './checkpoint-weights.js';
import { newestCheckpoint } from './generation-folders.js';

function contentsOf(
  checkpoint: Checkpoint,
  calibration: Calibration | undefined,
): Map<string, string | Uint8Array> {
  const { network, optimizer, average } = checkpoint;
  const metadata = modelMetadata(checkpoint);
  const playing = networkForPlay(checkpoint);
  const graph = encodeGraphModel(playing, metadata);
  const contents = new Map<string, string | Uint8Array>([
    [CHECKPOINT_FILES.model, graph.modelJson],
    [CHECKPOINT_FILES.weights, graph.weights],
    [CHECKPOINT_FILES.float32, encodeOnnxModel(playing, 'legal', metadata)],
  ]);
  if (calibration !== undefined) {
    contents.set(CHECKPOINT_FILES.int8, encodeOnnxModel(playing, 'legal', metadata, calibration));
  }
  if (average !== null) contents.set(CHECKPOINT_FILES.learner, littleEndian(network.weights));
  if (optimizer !== null) {
    const moments = littleEndian(optimizer.firstMoment, optimizer.secondMoment);
    contents.set(CHECKPOINT_FILES.optimizer, moments);
  }
  return contents;
}

/** @throws TrainingError `checkpoint-exists` if there is anything at the path of a new checkpoint. */
export async function expectNewCheckpoint(folder: string): Promise<void> {
  if (!(await exists(folder))) return;
  throw new TrainingError('checkpoint-exists', `expected a new folder, ${folder} exists`);
}

/**
 * Writes a checkpoint's folder, whole or not at all. Equal checkpoints and calibrations produce equal bytes.
 *
 * @param calibration of the network that plays: adds an int8 model to the folder.
 * @throws TrainingError `checkpoint-exists`; DataError `disk-full`, `write-failed`.
 */
export async function writeCheckpoint(
  folder: string,
  checkpoint: Checkpoint,
  calibration?: Calibration,
): Promise<void> {
  await expectNewCheckpoint(folder);
  const contents = contentsOf(checkpoint, calibration);
  await writeFolderAtomic(folder, async (temporary) => {
    const details = checkpointDetails(checkpoint);
    await writeWithManifest(checkpointManifestPath(temporary), contents, { kind: CHECKPOINT_KIND, details });
  });
}

/** The error for a folder without a checkpoint, with what is there: of a run, it names the newest one. */
async function missingCheckpoint(folder: string): Promise<DataError> {
  const newest = await newestCheckpoint(folder);
  const found =
    newest === undefined
      ? await describeFound(folder, `no ${CHECKPOINT_FILES.manifest} there`)
      : `a run: name ${newest}, its newest`;
  return new DataError('manifest-missing', `expected a checkpoint in ${folder}, found ${found}`);
}

/**
 * Reads a checkpoint and verifies every file; the weights are bit for bit those that were written.
 *
 * @throws DataError `manifest-missing`, `manifest-damaged`, `manifest-too-new`, `file-missing`, `file-cut`,
 * `file-altered`, `file-unreadable`; TrainingError `checkpoint-damaged`, `checkpoint-too-new`,
 * `checkpoint-game` (other rules or encoding than this program's); NotationError `game-unknown`,
 * `rules-unknown`. Each names the file or folder.
 */
export async function readCheckpoint(folder: string): Promise<Checkpoint> {
  const path = checkpointManifestPath(folder);
  if (!(await exists(path))) throw await missingCheckpoint(folder);
  // Checked before the files, because another version may have other files.
  const details = parseDetails(path, (await readManifest(path, CHECKPOINT_KIND)).details);
  const { contents } = await readWithManifest(path, CHECKPOINT_KIND);
  const game = gameOfNetwork(gameOf(path, details.game), details.network);
  const content = { path, files: contents };
  const { network, average } = readNetworks(content, game, details);
  const { optimizerSteps, generation, learnerRandom, configDigest, softwareVersion } = details;
  const optimizer =
    optimizerSteps === null ? null : readOptimizer(content, network.weights.length, optimizerSteps);
  return { generation, game, network, average, optimizer, learnerRandom, configDigest, softwareVersion };
}

/**
 * Reads the int8 model of a checkpoint; undefined if it has none.
 *
 * @throws DataError as `readCheckpoint`.
 */
export async function readInt8Model(folder: string): Promise<Buffer | undefined> {
  const manifest = await readManifest(checkpointManifestPath(folder), CHECKPOINT_KIND);
  const isThere = Object.hasOwn(manifest.files, CHECKPOINT_FILES.int8);
  return isThere ? readListedFile(manifest, checkpointModelPath(folder, 'int8')) : undefined;
}
