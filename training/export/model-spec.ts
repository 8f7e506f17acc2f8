import type { PlayOptions } from '../../agents/play-options.js';
import type { Checkpoint } from '../checkpoints/checkpoint.js';
import { headsOf } from '../network/heads/head-table.js';
import { policyHead } from '../network/heads/policy-head.js';
import { multiplyAccumulates, parameterCount } from '../network/parameter-specs.js';
import { softwareVersion } from '../software-version.js';
import type { Parity } from './model-parity.js';

/** Version of `spec.json`. */
export const SPEC_VERSION = 1;

/** Greatest difference of a logit between trainer and written files. */
export const TOLERANCE = 1e-4;

/** Describes the files of an export, with their SHA-256. */
export const SPEC_FILE = 'spec.json';

/** Facts of an export beside its checkpoint. */
export interface ModelFacts {
  /** SHA-256 by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly parity: Parity;
  /** Options of agents with which the model plays best. */
  readonly play: PlayOptions;
}

/** The content of `spec.json`: everything that users of the model need, people and programs. */
export function describeModel(checkpoint: Checkpoint, { files, parity, play }: ModelFacts): object {
  const { game, network, generation } = checkpoint;
  const { encoding } = game;
  const { shape } = network;
  const heads = headsOf(shape.config);
  return {
    specVersion: SPEC_VERSION,
    game: game.id,
    rules: game.rules,
    rulesVersion: game.rulesVersion,
    encodingVersion: game.encodingVersion,
    generation,
    network: {
      ...shape.config,
      parameters: parameterCount(shape),
      multiplyAccumulates: multiplyAccumulates(shape),
    },
    play,
    trainedBy: checkpoint.softwareVersion,
    exportedBy: softwareVersion(),
    input: {
      name: 'observation',
      type: 'float32',
      shape: ['batch', ...game.observationShape],
      range: [0, 1],
      orientation: encoding.orientation,
      planes: encoding.planes.map((meaning, index) => ({ index, meaning })),
    },
    outputs: heads.map((head) => ({
      name: head.name,
      shape: ['batch', ...head.outputShape(shape)],
      meaning: head.meaning,
      ...(head === policyHead && { numbering: encoding.policy }),
    })),
    outputOrder: `TensorFlow.js (loadGraphModel): [${heads.map(({ name }) => name).join(', ')}]; ONNX: by name`,
    files,
    parity: { ...parity, tolerance: TOLERANCE },
  };
}
