import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Game, Symmetry } from '../../env/game.js';
import { turnPlanes } from '../../env/turned-planes.js';
import { AgentError } from '../agent-error.js';
import { EvaluationCache } from './evaluation-cache.js';
import type { EvaluationBatch, Evaluator } from './evaluator.js';

/** Legal indices a position are padded to a multiple of this, so that few shapes occur. */
const LEGAL_MULTIPLE = 64;
/** ONNX Runtime's levels of messages: 3 is errors. */
const LOG_ERRORS = 3;

/** How a network is evaluated. */
export interface NetworkOptions {
  /** Greatest number of positions the network sees at once; more than 8 hardly help on a CPU. */
  readonly batchSize?: number;
  /** Evaluations kept, about; 0: none. */
  readonly cacheSize?: number;
  /** Averages what the network says of the board turned by so many of the game's symmetries, the first ones; by default 1. */
  readonly symmetries?: number;
}

/** Reads a model file. Throws `AgentError` `model-missing`. */
async function readModel(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AgentError('model-missing', `expected an ONNX model at '${path}': ${reason}`, { cause });
  }
}

async function createSession(bytes: Uint8Array, where: string): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
      logSeverityLevel: LOG_ERRORS,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AgentError('model-unreadable', `expected an ONNX model in ${where}: ${reason}`, { cause });
  }
}

/** The known lengths of the axes of an input or output; -1 for any. Undefined when there is no such tensor. */
function shapeOf(metadata: readonly InferenceSession.ValueMetadata[], name: string): number[] | undefined {
  const found = metadata.find((value) => value.name === name);
  if (!found?.isTensor) return undefined;
  return found.shape.map((length) => (typeof length === 'number' ? length : -1));
}

function checkShape(actual: number[] | undefined, expected: readonly number[], what: string): void {
  const fits =
    actual?.length === expected.length &&
    expected.every((length, axis) => length === -1 || actual[axis] === -1 || actual[axis] === length);
  if (fits) return;
  const found = actual === undefined ? 'none' : `[${actual.join(', ')}]`;
  throw new AgentError(
    'model-mismatch',
    `expected ${what} of shape [${expected.join(', ')}], found ${found}`,
  );
}

/** Whether the model takes the legal indices. Throws `model-mismatch` for a model of another game or kind. */
function checkModel(session: InferenceSession, game: Game<unknown>, where: string): boolean {
  const { inputMetadata, outputMetadata } = session;
  const takesLegal = session.inputNames.includes('legal');
  checkShape(
    shapeOf(inputMetadata, 'observation'),
    [-1, ...game.observationShape],
    `input 'observation' of ${game.id} in ${where}`,
  );
  checkShape(shapeOf(outputMetadata, 'outcome'), [-1, 3], `output 'outcome' in ${where}`);
  const [name, size] = takesLegal ? ['legalLogits', -1] : ['policy', game.numActions];
  checkShape(shapeOf(outputMetadata, name), [-1, size], `output '${name}' of ${game.id} in ${where}`);
  return takesLegal;
}

/** The symmetries to average over. Throws AgentError `agent-option` where the game has fewer. */
function firstSymmetries({ id, symmetries }: Game<unknown>, count: number): readonly Symmetry[] {
  if (count > symmetries.length) {
    const expected = `expected symmetries from 1 to ${symmetries.length} in ${id}`;
    throw new AgentError('agent-option', `${expected}, got ${count}`);
  }
  return symmetries.slice(0, count);
}

/** Where logits lie, and where their softmax goes. */
interface SoftmaxPlaces {
  readonly to: number;
  readonly count: number;
  /** Which of the logits, itself from `pickFrom` on; all in order when undefined. */
  readonly pick?: Int32Array;
  readonly pickFrom?: number;
}

/** Writes the softmax of `logits[from …]` to `out[to …]`, `count` numbers. */
function softmax(
  logits: Float32Array,
  from: number,
  out: Float32Array,
  { to, count, pick, pickFrom = 0 }: SoftmaxPlaces,
): void {
  let greatest = -Infinity;
  for (let i = 0; i < count; i++) {
    const logit = logits[from + (pick === undefined ? i : pick[pickFrom + i]!)]!;
    out[to + i] = logit;
    greatest = Math.max(greatest, logit);
  }
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const power = Math.exp(out[to + i]! - greatest);
    out[to + i] = power;
    sum += power;
  }
  if (!Number.isFinite(sum)) {
    throw new AgentError('model-not-finite', 'expected finite outputs of the network, found NaN or infinity');
  }
  for (let i = 0; i < count; i++) out[to + i]! /= sum;
}

/**
 * Evaluates positions with a network by ONNX Runtime: on the CPU, in the calling thread, one thread, so that
 * the result for a position doesn't depend on what else is in a batch.
 *
 * Two forms of model: `observation` float32 `[B, R, C, P]` -> `policy` float32 `[B, A]`, `outcome` float32
 * `[B, 3]`; and, quicker where there are many actions, `observation`, `legal` int32 `[B, K]` ->
 * `legalLogits` float32 `[B, K]`, `outcome`. All outputs are logits; outcome is win, draw and loss of the
 * player to move.
 */
export class NetworkEvaluator implements Evaluator {
  readonly name = 'network';
  readonly readsInputs = true;
  readonly cache: EvaluationCache;
  /** Positions that went through the network. */
  evaluated = 0;
  private readonly session: InferenceSession;
  private readonly takesLegal: boolean;
  private readonly batchSize: number;
  private readonly shape: readonly [number, number, number];
  private readonly numActions: number;
  private readonly symmetries: readonly Symmetry[];
  /** `[max(3, L)]` what the network says of a turned board. */
  private readonly turned: Float32Array;
  /** `[batchSize, O]` observations of positions that do not lie side by side, or of turned boards. */
  private readonly gathered: Float32Array;
  /** `[batchSize * K]` policy indices, rows of the length that the batch needs. */
  private readonly legal: Int32Array;
  /** `[batchSize]` numbers of positions to evaluate. */
  private readonly wanted: Int32Array;

  private constructor(
    session: InferenceSession,
    takesLegal: boolean,
    game: Game<unknown>,
    options: NetworkOptions,
  ) {
    const { batchSize = 8, cacheSize = 0, symmetries = 1 } = options;
    const [rows, columns, planes] = game.observationShape;
    const padded = Math.ceil(game.maxLegalActions / LEGAL_MULTIPLE) * LEGAL_MULTIPLE;
    this.session = session;
    this.takesLegal = takesLegal;
    this.batchSize = batchSize;
    this.shape = game.observationShape;
    this.numActions = game.numActions;
    this.symmetries = firstSymmetries(game, symmetries);
    this.turned = new Float32Array(Math.max(3, game.maxLegalActions));
    this.gathered = new Float32Array(batchSize * rows * columns * planes);
    this.legal = new Int32Array(batchSize * padded);
    this.wanted = new Int32Array(batchSize);
    this.cache = new EvaluationCache(cacheSize, game.maxLegalActions);
  }

  /**
   * Loads a model.
   *
   * @param model path of an ONNX file, or its bytes.
   * @throws AgentError `model-missing`, `model-unreadable` (cut, altered or no model), `model-mismatch` (one
   *   for another game), `agent-option` (more symmetries than the game has).
   */
  static async load(
    game: Game<unknown>,
    model: string | Uint8Array,
    options: NetworkOptions = {},
  ): Promise<NetworkEvaluator> {
    const where = typeof model === 'string' ? `'${model}'` : `${model.length} bytes`;
    const bytes = typeof model === 'string' ? await readModel(model) : model;
    const session = await createSession(bytes, where);
    try {
      return new NetworkEvaluator(session, checkModel(session, game, where), game, options);
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  /** @throws AgentError `model-not-finite`. */
  async evaluate(batch: EvaluationBatch): Promise<void> {
    let count = 0;
    for (let index = 0; index < batch.size; index++) {
      if (this.cache.read(batch, index)) continue;
      this.wanted[count++] = index;
      if (count < this.batchSize) continue;
      await this.evaluateWanted(batch, count);
      count = 0;
    }
    if (count > 0) await this.evaluateWanted(batch, count);
  }

  /** Frees the session of ONNX Runtime. */
  async dispose(): Promise<void> {
    await this.session.release();
  }

  /** Judges the first `count` of `wanted`. */
  private async evaluateWanted(batch: EvaluationBatch, count: number): Promise<void> {
    for (const symmetry of this.symmetries) await this.runTurned(batch, count, symmetry);
    for (let row = 0; row < count; row++) {
      const index = this.wanted[row]!;
      if (this.symmetries.length > 1) this.divide(batch, index);
      this.cache.write(batch, index);
    }
    this.evaluated += count;
  }

  /** Runs the network on the first `count` of `wanted`, turned; adds what it says to what is there of earlier symmetries. */
  private async runTurned(batch: EvaluationBatch, count: number, symmetry: Symmetry): Promise<void> {
    const isFirst = symmetry === this.symmetries[0];
    const seen = isFirst ? this.observations(batch, count) : this.turnedObservations(batch, count, symmetry);
    const feeds: Record<string, Tensor> = {
      observation: new Tensor('float32', seen, [count, ...this.shape]),
    };
    const picked = this.fillLegal(batch, count, isFirst ? null : symmetry);
    if (this.takesLegal) {
      feeds['legal'] = new Tensor('int32', this.legal.subarray(0, count * picked), [count, picked]);
    }
    const outputs = await this.session.run(feeds);
    const logits = outputs[this.takesLegal ? 'legalLogits' : 'policy']!.data as Float32Array;
    const outcomes = outputs['outcome']!.data as Float32Array;
    const width = this.takesLegal ? picked : this.numActions;
    for (let row = 0; row < count; row++) {
      const index = this.wanted[row]!;
      const to = batch.start[index]!;
      const actions = batch.start[index + 1]! - to;
      const pick = this.takesLegal ? {} : { pick: this.legal, pickFrom: row * picked };
      if (isFirst) {
        softmax(logits, row * width, batch.priors, { to, count: actions, ...pick });
        softmax(outcomes, row * 3, batch.outcomes, { to: index * 3, count: 3 });
        continue;
      }
      softmax(logits, row * width, this.turned, { to: 0, count: actions, ...pick });
      for (let i = 0; i < actions; i++) batch.priors[to + i]! += this.turned[i]!;
      softmax(outcomes, row * 3, this.turned, { to: 0, count: 3 });
      for (let i = 0; i < 3; i++) batch.outcomes[index * 3 + i]! += this.turned[i]!;
    }
  }

  /** Makes means of the sums over the symmetries. */
  private divide(batch: EvaluationBatch, index: number): void {
    const { length } = this.symmetries;
    for (let i = batch.start[index]!; i < batch.start[index + 1]!; i++) batch.priors[i]! /= length;
    for (let i = index * 3; i < index * 3 + 3; i++) batch.outcomes[i]! /= length;
  }

  /** The observations of `wanted`, one after the other. */
  private observations(batch: EvaluationBatch, count: number): Float32Array {
    const size = this.gathered.length / this.batchSize;
    const first = this.wanted[0]!;
    const last = this.wanted[count - 1]!;
    if (last - first === count - 1) return batch.observations.subarray(first * size, (last + 1) * size);
    for (let row = 0; row < count; row++) {
      const index = this.wanted[row]!;
      this.gathered.set(batch.observations.subarray(index * size, (index + 1) * size), row * size);
    }
    return this.gathered.subarray(0, count * size);
  }

  private turnedObservations(batch: EvaluationBatch, count: number, symmetry: Symmetry): Float32Array {
    const size = this.gathered.length / this.batchSize;
    for (let row = 0; row < count; row++) {
      const from = this.wanted[row]! * size;
      const seen = batch.observations.subarray(from, from + size);
      turnPlanes(symmetry, seen, this.gathered.subarray(row * size, (row + 1) * size));
    }
    return this.gathered.subarray(0, count * size);
  }

  /** Fills rows of `legal` for `wanted`, turned by `symmetry`; returns their length. */
  private fillLegal(batch: EvaluationBatch, count: number, symmetry: Symmetry | null): number {
    let longest = 0;
    for (let row = 0; row < count; row++) {
      const index = this.wanted[row]!;
      longest = Math.max(longest, batch.start[index + 1]! - batch.start[index]!);
    }
    const width = Math.ceil(longest / LEGAL_MULTIPLE) * LEGAL_MULTIPLE;
    // What is left behind the ends of shorter rows are indices too, and their logits are not read.
    for (let row = 0; row < count; row++) {
      const index = this.wanted[row]!;
      const indices = batch.policyIndices.subarray(batch.start[index], batch.start[index + 1]);
      if (symmetry === null) this.legal.set(indices, row * width);
      else {
        for (let i = 0; i < indices.length; i++) {
          this.legal[row * width + i] = symmetry.policyIndices[indices[i]!]!;
        }
      }
    }
    return width;
  }
}

/** What the network answers, before any softmax. */
export interface RawLogits {
  /** `[count, A]` by policy index. */
  readonly policy: Float32Array;
  /** `[count, 3]` win, draw, loss of the player to move. */
  readonly outcome: Float32Array;
  /** What other outputs the model has, by name. */
  readonly auxiliary: ReadonlyMap<string, Float32Array>;
}

/**
 * Runs a model that answers all logits (form `policy`) once, to compare it with others.
 *
 * @param path of the ONNX file.
 * @param observations `[count, R, C, P]`.
 * @throws AgentError `model-missing`, `model-unreadable`, `model-mismatch`.
 */
export async function readRawLogits(
  game: Game<unknown>,
  path: string,
  observations: Float32Array,
  count: number,
): Promise<RawLogits> {
  const session = await createSession(await readModel(path), `'${path}'`);
  try {
    if (checkModel(session, game, `'${path}'`)) {
      throw new AgentError('model-mismatch', `expected a model without the input 'legal' in '${path}'`);
    }
    const observation = new Tensor('float32', observations, [count, ...game.observationShape]);
    const { policy, outcome, ...others } = await session.run({ observation });
    return {
      policy: policy!.data as Float32Array,
      outcome: outcome!.data as Float32Array,
      auxiliary: new Map(Object.entries(others).map(([name, value]) => [name, value.data as Float32Array])),
    };
  } finally {
    await session.release();
  }
}

/**
 * Evaluations a second that the session alone gives: the same batch over and over, nothing around it. The
 * ceiling of `NetworkEvaluator`.
 *
 * @param model bytes of an ONNX model, form `legal`.
 * @param legalActions of each position.
 */
export async function measureBareSession(
  game: Game<unknown>,
  model: Uint8Array,
  { batchSize, legalActions, seconds }: { batchSize: number; legalActions: number; seconds: number },
): Promise<number> {
  const session = await createSession(model, `${model.length} bytes`);
  const [rows, columns, planes] = game.observationShape;
  const width = Math.ceil(legalActions / LEGAL_MULTIPLE) * LEGAL_MULTIPLE;
  const shape = [batchSize, rows, columns, planes];
  const feeds = {
    observation: new Tensor(
      'float32',
      new Float32Array(batchSize * rows * columns * planes).fill(0.5),
      shape,
    ),
    legal: new Tensor('int32', new Int32Array(batchSize * width), [batchSize, width]),
  };
  try {
    await session.run(feeds);
    const startMs = performance.now();
    let evaluations = 0;
    while (performance.now() - startMs < seconds * 1000) {
      await session.run(feeds);
      evaluations += batchSize;
    }
    return (evaluations * 1000) / (performance.now() - startMs);
  } finally {
    await session.release();
  }
}
