import * as z from 'zod';
import { type JsonForm, parseForm } from '../../data/files/json-file.js';
import type { Game } from '../../env/game.js';
import { sizeOfShape } from '../../env/spaces/shape.js';
import { decodeFloats } from '../network/little-endian.js';
import { type Network, networkOf } from '../network/network.js';
import { networkShape, findShapeProblem } from '../network/network-shape.js';
import { parameterCount, parameterSpecs } from '../network/parameter-specs.js';
import type { CheckpointDetails } from './checkpoint-details.js';
import { CHECKPOINT_FILES, checkpointDamaged } from './checkpoint-files.js';
import type { OptimizerState } from './optimizer-state.js';

/** The files of a checkpoint, by name, their checksums verified. */
export interface CheckpointContent {
  /** Path of the manifest, for messages. */
  readonly path: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The part of a TensorFlow.js graph model that lays out its weights file. */
const GraphModelFile = z.object({
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

function fileOf({ path, files }: CheckpointContent, name: string): Buffer {
  const content = files.get(name);
  if (content === undefined) throw checkpointDamaged(path, `its manifest does not name ${name}`);
  return content;
}

/** `floats`, which `file` holds; a number that is not finite would spread to every weight that learns from it. */
function expectFinite({ path }: CheckpointContent, file: string, floats: Float32Array): Float32Array {
  const index = floats.findIndex((value) => !Number.isFinite(value));
  if (index === -1) return floats;
  throw checkpointDamaged(path, `expected finite numbers in ${file}, got ${floats[index]}`);
}

/** The float32 arrays of the weights file by their names in the model file; int32 arrays are not parameters. */
function readArrays(content: CheckpointContent): Map<string, Float32Array> {
  const { path } = content;
  const form: JsonForm<z.infer<typeof GraphModelFile>> = {
    schema: GraphModelFile,
    name: 'a graph model',
    seal: null,
    error: (message, cause) => checkpointDamaged(path, message, cause),
  };
  const model = parseForm(fileOf(content, CHECKPOINT_FILES.model), form, { path: CHECKPOINT_FILES.model });
  const bytes = fileOf(content, CHECKPOINT_FILES.weights);
  const arrays = new Map<string, Float32Array>();
  let start = 0;
  for (const { name, shape, dtype } of model.weightsManifest[0]!.weights) {
    const end = start + sizeOfShape(shape) * 4;
    if (end > bytes.length) break;
    if (dtype === 'float32') {
      const floats = decodeFloats(bytes.subarray(start, end));
      arrays.set(name, expectFinite(content, CHECKPOINT_FILES.weights, floats));
    }
    start = end;
  }
  if (start === bytes.length) return arrays;
  throw checkpointDamaged(path, `${bytes.length} bytes in ${CHECKPOINT_FILES.weights} do not fit the arrays`);
}

/** Reads the network for play from the graph model. */
function readNetworkForPlay(
  content: CheckpointContent,
  game: Game<unknown>,
  config: CheckpointDetails['network'],
): Network {
  const { path } = content;
  const problem = findShapeProblem(game, config);
  if (problem !== null) {
    throw checkpointDamaged(path, `network.${problem.setting} in its manifest: ${problem.message}`);
  }
  const arrays = readArrays(content);
  const shape = networkShape(game, config);
  const specs = parameterSpecs(shape);
  if (arrays.size !== specs.length) {
    throw checkpointDamaged(path, `${arrays.size} arrays of weights in it instead of ${specs.length}`);
  }
  const parts = specs.map((spec) => {
    const values = arrays.get(spec.name);
    if (values?.length === sizeOfShape(spec.shape)) return values;
    throw checkpointDamaged(path, `no weights '${spec.name}' of shape [${spec.shape.join(', ')}] in it`);
  });
  const weights = new Float32Array(parameterCount(shape));
  let offset = 0;
  for (const values of parts) {
    weights.set(values, offset);
    offset += values.length;
  }
  return networkOf(shape, weights);
}

/** Decodes a binary file that must hold `count` numbers. */
function readFloats(content: CheckpointContent, name: string, count: number): Float32Array {
  const floats = decodeFloats(fileOf(content, name));
  if (floats.length === count) return expectFinite(content, name, floats);
  throw checkpointDamaged(content.path, `${floats.length} numbers in ${name} instead of ${count}`);
}

/**
 * The network from which learning continues, and the averaged weights that play instead; null without averaging.
 *
 * @throws TrainingError `checkpoint-damaged`.
 */
export function readNetworks(
  content: CheckpointContent,
  game: Game<unknown>,
  { network: config, averaged }: Pick<CheckpointDetails, 'network' | 'averaged'>,
): { readonly network: Network; readonly average: Float32Array | null } {
  const playing = readNetworkForPlay(content, game, config);
  if (!averaged) return { network: playing, average: null };
  const weights = readFloats(content, CHECKPOINT_FILES.learner, playing.weights.length);
  return { network: networkOf(playing.shape, weights), average: playing.weights };
}

/**
 * The state of the optimiser after `step` steps.
 *
 * @param weights number of weights.
 * @throws TrainingError `checkpoint-damaged`.
 */
export function readOptimizer(content: CheckpointContent, weights: number, step: number): OptimizerState {
  const floats = readFloats(content, CHECKPOINT_FILES.optimizer, weights * 2);
  const secondMoment = floats.slice(weights);
  const negative = secondMoment.find((mean) => mean < 0);
  if (negative === undefined) return { step, firstMoment: floats.slice(0, weights), secondMoment };
  const expected = `expected means of squares in ${CHECKPOINT_FILES.optimizer}, 0 or greater`;
  throw checkpointDamaged(content.path, `${expected}, got ${negative}`);
}
