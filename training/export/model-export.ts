import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, writeFileAtomic, writeFolderAtomic } from '../../data/files/atomic-file.js';
import { sealJson, sha256 } from '../../data/files/sealed-json.js';
import type { Rng } from '../../env/random.js';
import { observeCarefulPositions } from '../play/careful-positions.js';
import { modelMetadata, networkForPlay, type Checkpoint } from '../checkpoints/checkpoint.js';
import { TrainingError } from '../training-error.js';
import { encodeGraphModel, predictGraphModel, WEIGHTS_FILE } from '../network/graph-model.js';
import {
  auxiliaryHeads,
  headShape,
  MOVES_LEFT_UNIT,
  multiplyAccumulates,
  parameterCount,
  type AuxiliaryHead,
  type NetworkShape,
} from '../network/network.js';
import { encodeOnnxModel } from '../network/onnx-model.js';
import { readRawLogits, type RawLogits } from './raw-logits.js';
import { softwareVersion } from '../software-version.js';
import { TensorNetwork, type Logits } from '../network/tensor-network.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';

/** Version of `spec.json`. */
export const SPEC_VERSION = 1;

/** Positions that the written files are tried on. */
const CHECKED_POSITIONS = 100;
/** Greatest difference of a logit between trainer and written files. */
const TOLERANCE = 1e-4;

const MODEL_FILE = 'model.json';
const ONNX_FILE = 'model.onnx';
/** What the files of an export mean, with their SHA-256. */
export const SPEC_FILE = 'spec.json';
/** The other files of an export. */
export const EXPORTED_FILES = [MODEL_FILE, WEIGHTS_FILE, ONNX_FILE] as const;

/** How far the written files are from the trainer, over all logits of all checked positions. */
export interface Parity {
  readonly positions: number;
  /** Of the TensorFlow.js files, loaded afresh. */
  readonly tensorflowJs: number;
  /** Of the ONNX file in ONNX Runtime. */
  readonly onnx: number;
}

/** What `exportModel` wrote. */
export interface ExportResult {
  readonly folder: string;
  /** SHA-256 by file name, `spec.json` included. */
  readonly files: Readonly<Record<string, string>>;
  readonly parity: Parity;
}

function greatestDifference(a: Logits, b: RawLogits): number {
  let greatest = 0;
  const pairs = [[a.policy, b.policy] as const, [a.outcome, b.outcome] as const];
  for (const [head, left] of a.auxiliary) pairs.push([left, b.auxiliary.get(head) ?? new Float32Array()]);
  for (const [left, right] of pairs) {
    if (left.length !== right.length) return Infinity;
    for (let i = 0; i < left.length; i++) {
      const difference = Math.abs(left[i]! - right[i]!);
      // NaN compares as no difference.
      if (!(difference <= greatest)) greatest = Number.isNaN(difference) ? Infinity : difference;
    }
  }
  return greatest;
}

async function measureParity(
  tf: Tensorflow,
  folder: string,
  checkpoint: Checkpoint,
  rng: Rng,
): Promise<Parity> {
  const count = CHECKED_POSITIONS;
  const { game } = checkpoint;
  const network = networkForPlay(checkpoint);
  const observations = observeCarefulPositions(game, count, rng);
  const trainer = new TensorNetwork(tf, network.shape).predict(network.weights, observations, count);
  const graph = await predictGraphModel(tf, join(folder, MODEL_FILE), network.shape, observations);
  const onnx = await readRawLogits(game, await readFile(join(folder, ONNX_FILE)), observations, count);
  return {
    positions: count,
    tensorflowJs: greatestDifference(trainer, graph),
    onnx: greatestDifference(trainer, onnx),
  };
}

const HEAD_MEANINGS: Readonly<Record<AuxiliaryHead, string>> = {
  movesLeft: `plies to the end of the game, divided by ${MOVES_LEFT_UNIT}`,
  holders: 'logits of who holds each square at the end of the game: the player to move, the opponent, nobody',
  rings:
    'logits (sigmoid) that a ring of the player to move, of the opponent at this square is still there some plies later; they mean something on the squares of rings only',
  reply:
    "logits of the opponent's next move, numbered as the policy is, the board as the player to move sees it",
  shortTerm:
    'logit (sigmoid) of the chance that the player to move wins, as searches a few plies later see it',
};

function describeHead(head: AuxiliaryHead, shape: NetworkShape): object {
  return { name: head, shape: ['batch', ...headShape(head, shape)], meaning: HEAD_MEANINGS[head] };
}

/** What a user of the model has to know, for people and programs. */
function describeModel(
  checkpoint: Checkpoint,
  files: Readonly<Record<string, string>>,
  parity: Parity,
): object {
  const { game, network, generation } = checkpoint;
  const { encoding } = game;
  const heads = auxiliaryHeads(network.shape.config);
  const [rows, columns, planes] = game.observationShape;
  return {
    specVersion: SPEC_VERSION,
    game: game.id,
    rules: game.rules,
    rulesVersion: game.rulesVersion,
    encodingVersion: game.encodingVersion,
    generation,
    network: {
      ...network.shape.config,
      parameters: parameterCount(network.shape),
      multiplyAccumulates: multiplyAccumulates(network.shape),
    },
    trainedBy: checkpoint.softwareVersion,
    exportedBy: softwareVersion(),
    input: {
      name: 'observation',
      type: 'float32',
      shape: ['batch', rows, columns, planes],
      range: [0, 1],
      orientation: encoding.orientation,
      planes: encoding.planes.map((meaning, index) => ({ index, meaning })),
    },
    outputs: [
      {
        name: 'policy',
        shape: ['batch', game.numActions],
        meaning: 'logits; take the softmax over the legal moves only',
        numbering: encoding.policy,
      },
      {
        name: 'outcome',
        shape: ['batch', 3],
        meaning:
          'logits; their softmax is the probability of win, draw and loss for the player to move; value = win - loss',
      },
      ...heads.map((head) => describeHead(head, network.shape)),
    ],
    outputOrder: `TensorFlow.js (loadGraphModel): [${['policy', 'outcome', ...heads].join(', ')}]; ONNX: by name`,
    files,
    parity: { ...parity, tolerance: TOLERANCE },
  };
}

/**
 * Writes a checkpoint's network for other programs: `model.json` and `weights.bin` (TensorFlow.js, a graph model),
 * `model.onnx`, `spec.json`. They are tried on real positions before the folder gets its name.
 *
 * @param rng draws the positions.
 * @throws TrainingError `export-exists`, `export-mismatch` (and nothing is left); DataError `disk-full`,
 * `write-failed`.
 */
export async function exportModel(
  tf: Tensorflow,
  checkpoint: Checkpoint,
  folder: string,
  rng: Rng,
): Promise<ExportResult> {
  if (await exists(folder)) {
    throw new TrainingError('export-exists', `expected no folder of the name ${folder} yet, found one`);
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
    const parity = await measureParity(tf, temporary, checkpoint, rng);
    const worst = Math.max(parity.tensorflowJs, parity.onnx);
    if (worst > TOLERANCE) {
      throw new TrainingError(
        'export-mismatch',
        `expected the written files to be within ${TOLERANCE} of the trainer, found differences of ` +
          `${parity.tensorflowJs} (TensorFlow.js) and ${parity.onnx} (ONNX); nothing was written to ${folder}`,
      );
    }
    const spec = sealJson(describeModel(checkpoint, files, parity), 'file');
    await writeFileAtomic(join(temporary, SPEC_FILE), spec);
    result = { folder, files: { ...files, [SPEC_FILE]: sha256(spec) }, parity };
  });
  return result!;
}
