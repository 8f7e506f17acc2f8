import { sizeOfShape } from '../../env/spaces/shape.js';
import { join } from 'node:path';
import { z } from 'zod';
import { describeProblems } from '../../env/problems-text.js';
import { exists, writeFolderAtomic } from '../../data/files/atomic-file.js';
import {
  readManifest,
  readWithManifest,
  writeWithManifest,
  type ManifestDetails,
} from '../../data/files/manifest.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import type { OptimizerState } from './optimizer-state.js';
import type { SelfPlayConfig } from '../config/self-play-config.js';
import { canHaveNetwork, NetworkConfig } from '../network/network-config.js';
import { TrainingError } from '../training-error.js';
import { encodeGraphModel, WEIGHTS_FILE } from '../network/graph-model.js';
import type { Calibration } from '../network/calibration.js';
import { decodeFloats, littleEndian } from '../network/little-endian.js';
import { networkOf, networkShape, parameterCount, parameterSpecs, type Network } from '../network/network.js';
import { encodeOnnxModel } from '../network/onnx-model.js';

/** Version of the checkpoints that this program writes; it reads this one and older ones. */
export const CHECKPOINT_VERSION = 2;

/** What a checkpoint's manifest is of. */
export const CHECKPOINT_KIND = 'checkpoint';
const MODEL_FILE = 'model.json';
const OPTIMIZER_FILE = 'optimizer.bin';
const LEARNER_FILE = 'learner.bin';
const ONNX_FILES = { float32: 'model.onnx', int8: 'model-int8.onnx' } as const;
const MANIFEST_FILE = 'manifest.json';

const CheckpointDetails = z.strictObject({
  checkpointVersion: z.int().min(1).max(CHECKPOINT_VERSION),
  /** Which network of its run this is; 0 is the untrained one. */
  generation: z.int().min(0),
  game: z.strictObject({
    id: z.string(),
    rules: z.string(),
    rulesVersion: z.int(),
    encodingVersion: z.int(),
  }),
  network: NetworkConfig,
  /** Whether the network for play is an average of weights; version 1 has none. */
  averaged: z.boolean().default(false),
  /** Steps of the optimiser; null where its state is not kept. */
  optimizerSteps: z.int().min(0).nullable(),
  /** Where the learner's random stream stands; null where it is not kept. */
  learnerRandom: z.array(z.int()).length(4).nullable(),
  /** SHA-256 of the run's configuration; null outside a run. */
  configDigest: z.string().nullable(),
  softwareVersion: z.string(),
});

/** A generation's network and all that learning needs to go on from it as if it had never stopped. */
export interface Checkpoint {
  readonly generation: number;
  readonly game: Game<unknown>;
  /** What learning goes on with. */
  readonly network: Network;
  /** `[W]` averaged weights, which play instead; null without averaging. */
  readonly average: Float32Array | null;
  /** Null: learning starts the optimiser anew. */
  readonly optimizer: OptimizerState | null;
  /** `Rng.state()` of the learner's stream; null: learning starts another. */
  readonly learnerRandom: readonly number[] | null;
  /** SHA-256 of the run's configuration; null outside a run. */
  readonly configDigest: string | null;
  /** Version of the program that wrote it. */
  readonly softwareVersion: string;
}

/** Where the manifest of the checkpoint in a folder lies. */
export function checkpointManifestPath(folder: string): string {
  return join(folder, MANIFEST_FILE);
}

/** Where the model for play lies in a checkpoint's folder: ONNX, its `legal` form. */
export function checkpointModelPath(
  folder: string,
  precision: SelfPlayConfig['precision'] = 'float32',
): string {
  return join(folder, ONNX_FILES[precision]);
}

/** The network that plays: with averaged weights where there are any. */
export function networkForPlay({ network, average }: Checkpoint): Network {
  return average === null ? network : networkOf(network.shape, average);
}

/** What a model file says of itself, in every format. */
export function modelMetadata(checkpoint: Checkpoint): Record<string, string> {
  const { game, generation, softwareVersion } = checkpoint;
  return {
    game: game.id,
    rules: game.rules,
    rulesVersion: String(game.rulesVersion),
    encodingVersion: String(game.encodingVersion),
    generation: String(generation),
    softwareVersion,
  };
}

function contentsOf(
  checkpoint: Checkpoint,
  calibration: Calibration | undefined,
): Map<string, string | Uint8Array> {
  const { network, optimizer, average } = checkpoint;
  const metadata = modelMetadata(checkpoint);
  const playing = networkForPlay(checkpoint);
  const graph = encodeGraphModel(playing, metadata);
  const contents = new Map<string, string | Uint8Array>([
    [MODEL_FILE, graph.modelJson],
    [WEIGHTS_FILE, graph.weights],
    [ONNX_FILES.float32, encodeOnnxModel(playing, 'legal', metadata)],
  ]);
  if (calibration !== undefined) {
    contents.set(ONNX_FILES.int8, encodeOnnxModel(playing, 'legal', metadata, calibration));
  }
  if (average !== null) contents.set(LEARNER_FILE, littleEndian(network.weights));
  if (optimizer !== null) {
    contents.set(OPTIMIZER_FILE, littleEndian(optimizer.firstMoment, optimizer.secondMoment));
  }
  return contents;
}

function detailsOf(checkpoint: Checkpoint): ManifestDetails {
  const { game, network, optimizer, learnerRandom } = checkpoint;
  const details: z.infer<typeof CheckpointDetails> = {
    checkpointVersion: CHECKPOINT_VERSION,
    generation: checkpoint.generation,
    game: {
      id: game.id,
      rules: game.rules,
      rulesVersion: game.rulesVersion,
      encodingVersion: game.encodingVersion,
    },
    network: network.shape.config,
    averaged: checkpoint.average !== null,
    optimizerSteps: optimizer?.step ?? null,
    learnerRandom: learnerRandom === null ? null : [...learnerRandom],
    configDigest: checkpoint.configDigest,
    softwareVersion: checkpoint.softwareVersion,
  };
  return details;
}

/**
 * Writes a checkpoint's folder, whole or not at all; equal checkpoints and calibrations give equal bytes.
 *
 * @param calibration of the network that plays: the folder then has its model in int8 too.
 * @throws TrainingError `checkpoint-exists`; DataError `disk-full`, `write-failed`.
 */
export async function writeCheckpoint(
  folder: string,
  checkpoint: Checkpoint,
  calibration?: Calibration,
): Promise<void> {
  if (await exists(folder)) {
    throw new TrainingError('checkpoint-exists', `expected no folder of the name ${folder} yet, found one`);
  }
  const contents = contentsOf(checkpoint, calibration);
  await writeFolderAtomic(folder, async (temporary) => {
    const details = detailsOf(checkpoint);
    await writeWithManifest(join(temporary, MANIFEST_FILE), contents, { kind: CHECKPOINT_KIND, details });
  });
}

function damaged(folder: string, reason: string, cause?: unknown): TrainingError {
  return new TrainingError('checkpoint-damaged', `expected a checkpoint in ${folder}: ${reason}`, { cause });
}

function parseDetails(path: string, details: ManifestDetails): z.infer<typeof CheckpointDetails> {
  const version = details['checkpointVersion'];
  if (typeof version === 'number' && version > CHECKPOINT_VERSION) {
    throw new TrainingError(
      'checkpoint-too-new',
      `${path} has checkpoint version ${version}, this program reads up to ${CHECKPOINT_VERSION}`,
    );
  }
  const parsed = CheckpointDetails.safeParse(details);
  if (!parsed.success) throw damaged(path, describeProblems(parsed.error));
  return parsed.data;
}

/** The game as this program knows it; its positions and planes must mean what they meant at writing. */
function gameOf(path: string, expected: z.infer<typeof CheckpointDetails>['game']): Game<unknown> {
  const game = createGame(expected.id, expected.rules);
  const problems = (['rules', 'rulesVersion', 'encodingVersion'] as const)
    .filter((key) => game[key] !== expected[key])
    .map((key) => `${key} ${game[key]} (this program) but found ${expected[key]}`);
  if (problems.length === 0) return game;
  throw new TrainingError(
    'checkpoint-game',
    `expected ${problems.join(', ')}: ${path}, a checkpoint of ${game.id}`,
  );
}

const ModelFile = z.object({
  weightsManifest: z
    .array(
      z.object({
        weights: z.array(
          z.object({
            name: z.string(),
            shape: z.array(z.int().min(0)),
            dtype: z.enum(['float32', 'int32']),
          }),
        ),
      }),
    )
    .length(1),
});

/** The float32 arrays of `weights.bin` by their names in `model.json`; what is int32 there is no parameter. */
function readArrays(path: string, contents: ReadonlyMap<string, Buffer>): Map<string, Float32Array> {
  const modelFile = ModelFile.safeParse(JSON.parse(fileOf(path, contents, MODEL_FILE).toString()));
  if (!modelFile.success) throw damaged(path, describeProblems(modelFile.error));
  const bytes = fileOf(path, contents, WEIGHTS_FILE);
  const arrays = new Map<string, Float32Array>();
  let start = 0;
  for (const { name, shape, dtype } of modelFile.data.weightsManifest[0]!.weights) {
    const end = start + sizeOfShape(shape) * 4;
    if (dtype === 'float32') arrays.set(name, decodeFloats(bytes.subarray(start, end)));
    start = end;
  }
  if (start === bytes.length) return arrays;
  throw damaged(path, `${bytes.length} bytes in ${WEIGHTS_FILE} instead of ${start}`);
}

/** The network of the parameters in `model.json` and `weights.bin`: a graph model, or the layers model of earlier programs. */
function readNetwork(
  path: string,
  {
    contents,
    game,
    config,
  }: {
    readonly contents: ReadonlyMap<string, Buffer>;
    readonly game: Game<unknown>;
    readonly config: NetworkConfig;
  },
): Network {
  if (!canHaveNetwork(game, config)) {
    throw damaged(path, `policy attention in its manifest, which ${game.id} cannot have`);
  }
  const arrays = readArrays(path, contents);
  const shape = networkShape(game, config);
  const specs = parameterSpecs(shape);
  if (arrays.size !== specs.length) {
    throw damaged(path, `${arrays.size} arrays of weights in it instead of ${specs.length}`);
  }
  const weights = new Float32Array(parameterCount(shape));
  let offset = 0;
  for (const spec of specs) {
    const values = arrays.get(spec.name);
    if (values?.length !== sizeOfShape(spec.shape)) {
      throw damaged(path, `no weights '${spec.name}' of shape [${spec.shape.join(', ')}] in it`);
    }
    weights.set(values, offset);
    offset += values.length;
  }
  return networkOf(shape, weights);
}

function fileOf(path: string, contents: ReadonlyMap<string, Buffer>, name: string): Buffer {
  const content = contents.get(name);
  if (content === undefined) throw damaged(path, `its manifest does not name ${name}`);
  return content;
}

/** The network as learning goes on with it, of the shape of the one that plays. */
function readLearner(path: string, content: Buffer, { shape, weights }: Network): Network {
  const floats = decodeFloats(content);
  if (floats.length === weights.length) return networkOf(shape, floats);
  throw damaged(path, `${floats.length} numbers in ${LEARNER_FILE} instead of ${weights.length}`);
}

function readOptimizer(path: string, content: Buffer, weights: number, step: number): OptimizerState {
  const floats = decodeFloats(content);
  if (floats.length !== weights * 2) {
    throw damaged(path, `${floats.length} numbers in ${OPTIMIZER_FILE} instead of ${weights * 2}`);
  }
  return { step, firstMoment: floats.slice(0, weights), secondMoment: floats.slice(weights) };
}

/**
 * Reads a checkpoint, every file checked; the weights are those that were written, bit by bit.
 *
 * @throws DataError `manifest-missing`, `manifest-damaged`, `manifest-too-new`, `file-missing`, `file-cut`,
 * `file-altered`, `file-unreadable`; TrainingError `checkpoint-damaged`, `checkpoint-too-new`,
 * `checkpoint-game` (other rules or encoding than this program's); NotationError `game-unknown`,
 * `rules-unknown`. Each names the file or folder.
 */
export async function readCheckpoint(folder: string): Promise<Checkpoint> {
  const path = join(folder, MANIFEST_FILE);
  // Before the files: a newer version may have others.
  const details = parseDetails(path, (await readManifest(path, CHECKPOINT_KIND)).details);
  const { contents } = await readWithManifest(path, CHECKPOINT_KIND);
  const game = gameOf(path, details.game);
  const playing = readNetwork(path, { contents, game, config: details.network });
  const network = details.averaged
    ? readLearner(path, fileOf(path, contents, LEARNER_FILE), playing)
    : playing;
  const average = details.averaged ? playing.weights : null;
  const { optimizerSteps } = details;
  const optimizer =
    optimizerSteps === null
      ? null
      : readOptimizer(path, fileOf(path, contents, OPTIMIZER_FILE), network.weights.length, optimizerSteps);
  const { generation, learnerRandom, configDigest, softwareVersion } = details;
  return { generation, game, network, average, optimizer, learnerRandom, configDigest, softwareVersion };
}
