import { isDeepStrictEqual } from 'node:util';
import type { PlayOptions } from '../../agents/play-options.js';
import { DataError } from '../../data/data-error.js';
import type { Checkpoint } from '../checkpoints/checkpoint.js';
import { headsOf } from '../network/heads/head-table.js';
import { outcomeHead } from '../network/heads/outcome-head.js';
import type { NetworkShape } from '../network/network-shape.js';
import { LEGAL_LOGITS } from '../network/onnx/onnx-legal-layers.js';
import { multiplyAccumulates, parameterCount } from '../network/parameter-specs.js';
import { softwareVersion } from '../software-version.js';
import { EXPORT_FILES, FIRST_INT8_TOLERANCE, INT8_TOLERANCE, TOLERANCE } from './export-files.js';
import { MAX_INT8_DIVERGENCE, type Parity } from './model-parity.js';
import { SPEC_VERSION } from './spec-file.js';
import { type ModelSpec, SCHEMA_KEY } from './spec-schema.js';

/** Facts of an export that its checkpoint does not contain. */
export interface ModelFacts {
  /** SHA-256 by file name. */
  readonly files: ModelSpec['files'];
  readonly parity: Parity;
  /** Agent options with which the model plays best. */
  readonly play: PlayOptions;
  /** Null: not stated. */
  readonly license: string | null;
}

/** Greatest difference of two values in [-1, 1]. */
const MAX_VALUE_ERROR = 2;
const BATCH = 'batch';
const LEGAL_ACTIONS = 'legalActions';

const VIEW =
  'All inputs and outputs are from the view of the player to move: own means of that player, and the board is turned as ' +
  'observation.orientation says.';

function describeOutputs(shape: NetworkShape): ModelSpec['outputs'] {
  const heads = headsOf(shape.config).map((head) => ({
    name: head.name,
    shape: [BATCH, ...head.outputShape(shape)],
    meaning: head.meaning,
  }));
  const legal = {
    name: LEGAL_LOGITS,
    shape: [BATCH, LEGAL_ACTIONS],
    meaning: 'logits of the actions in the input legal, in their order; take the softmax over the legal ones',
  };
  return [...heads, legal];
}

function describeModels(shape: NetworkShape): ModelSpec['models'] {
  const all = { inputs: ['observation'], outputs: headsOf(shape.config).map(({ name }) => name) };
  const some = { inputs: ['observation', 'legal'], outputs: [LEGAL_LOGITS, outcomeHead.name] };
  const graph = { format: 'TensorFlow.js graph model', form: 'policy', precision: 'float32' } as const;
  return [
    { file: EXPORT_FILES.graph, ...graph, ...all },
    { file: EXPORT_FILES.policy, format: 'ONNX', form: 'policy', precision: 'float32', ...all },
    { file: EXPORT_FILES.legal, format: 'ONNX', form: 'legal', precision: 'float32', ...some },
    { file: EXPORT_FILES.int8, format: 'ONNX', form: 'legal', precision: 'int8', ...some },
  ];
}

/** The parts of a specification that follow from the game and the network alone. */
function describeNetwork({
  game,
  network,
}: Checkpoint): Pick<
  ModelSpec,
  'network' | 'view' | 'observation' | 'legal' | 'actions' | 'outputs' | 'models'
> {
  const { encoding } = game;
  const { shape } = network;
  return {
    network: {
      ...shape.config,
      parameters: parameterCount(shape),
      multiplyAccumulates: multiplyAccumulates(shape),
    },
    view: VIEW,
    observation: {
      type: 'float32',
      shape: [BATCH, ...game.observationShape],
      range: [0, 1],
      orientation: encoding.orientation,
      planes: encoding.planes.map((meaning, index) => ({ index, meaning })),
    },
    legal: {
      type: 'int32',
      shape: [BATCH, LEGAL_ACTIONS],
      meaning:
        'policy indices of the legal actions; a shorter row is padded with any index, whose logits are meaningless',
    },
    actions: { count: game.numActions, numbering: encoding.policy, view: 'the player to move' },
    outputs: describeOutputs(shape),
    models: describeModels(shape),
  };
}

/** The content of `spec.json`: everything that people and programs need to use the model. */
export function describeModel(checkpoint: Checkpoint, facts: ModelFacts): ModelSpec {
  const { game, generation } = checkpoint;
  return {
    ...SCHEMA_KEY,
    specVersion: SPEC_VERSION,
    game: game.id,
    rules: game.rules,
    rulesVersion: game.rulesVersion,
    encodingVersion: game.encodingVersion,
    players: [...game.playerNames],
    plyLimit: game.plyLimit,
    generation,
    play: facts.play,
    license: facts.license,
    trainedBy: checkpoint.softwareVersion,
    exportedBy: softwareVersion(),
    ...describeNetwork(checkpoint),
    tolerance: { float32: TOLERANCE, int8: INT8_TOLERANCE },
    parity: facts.parity,
    files: facts.files,
  };
}

/** The facts of a specification that front-ends compute with. Texts for people differ between versions. */
function factsOf(spec: ModelSpec): Readonly<Record<string, unknown>> {
  const { players, plyLimit, network, observation, legal, actions, outputs, models, tolerance } = spec;
  return {
    players,
    plyLimit,
    'network.parameters': network.parameters,
    'observation.shape': observation.shape,
    'observation.range': observation.range,
    'observation.planes, their indices': observation.planes.map(({ index }) => index),
    'legal.shape': legal.shape,
    'actions.count': actions.count,
    'outputs, their names': outputs.map(({ name }) => name),
    'outputs, their shapes': outputs.map(({ shape }) => shape),
    models,
    'tolerance.float32': tolerance.float32,
    'tolerance.int8': tolerance.int8 === FIRST_INT8_TOLERANCE ? INT8_TOLERANCE : tolerance.int8,
  };
}

/** Numbers of a specification and the greatest value of each. */
function limitsOf(
  { play, parity }: ModelSpec,
  { game }: Checkpoint,
): Readonly<Record<string, readonly [found: number, most: number]>> {
  return {
    'play.symmetries': [play.symmetries ?? 1, game.symmetries.length],
    'parity.tensorflowJs': [parity.tensorflowJs, TOLERANCE],
    'parity.onnxPolicy': [parity.onnxPolicy, TOLERANCE],
    'parity.onnxLegal': [parity.onnxLegal, TOLERANCE],
    'parity.int8.policyDivergence': [parity.int8.policyDivergence, MAX_INT8_DIVERGENCE],
    'parity.int8.valueError': [parity.int8.valueError, MAX_VALUE_ERROR],
  };
}

/**
 * Checks that a specification describes the game and the network of its export.
 *
 * @param path of the specification, for the message.
 * @throws DataError `manifest-damaged`, which names the first fact that differs, or the first number out of its range.
 */
export function expectFacts(path: string, spec: ModelSpec, checkpoint: Checkpoint): void {
  const expected = factsOf(describeModel(checkpoint, spec));
  for (const [name, found] of Object.entries(factsOf(spec))) {
    if (isDeepStrictEqual(found, expected[name])) continue;
    const [wanted, got] = [expected[name], found].map((fact) => JSON.stringify(fact));
    throw new DataError('manifest-damaged', `expected in ${path}, ${name}: ${wanted}; got ${got}`);
  }
  for (const [name, [found, most]] of Object.entries(limitsOf(spec, checkpoint))) {
    if (found <= most) continue;
    throw new DataError('manifest-damaged', `expected in ${path}, ${name}: at most ${most}; got ${found}`);
  }
}
