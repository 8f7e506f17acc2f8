import { join } from 'node:path';
import { drawCarefulAction } from '../../../agents/immediate/careful-agent.js';
import { columnsOf, type ShardColumns } from '../../../data/shards/shard-columns.js';
import { rowsInMemory, type ShardRows } from '../../../data/shards/shard-rows.js';
import type { Sample } from '../../../data/shards/sample.js';
import { writeShard } from '../../../data/shards/shard.js';
import type { Game } from '../../../env/game.js';
import { createRng, type Rng } from '../../../env/random.js';
import { ActionColumns } from '../../../training/network/heads/action-columns.js';
import { AUXILIARY_HEADS, HEADS } from '../../../training/network/heads/head-table.js';
import type { LossWeights } from '../../../training/learning/network-loss.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { createNetwork, type Network } from '../../../training/network/network.js';
import type { NetworkShape } from '../../../training/network/network-shape.js';
import { TrainingBatch } from '../../../training/learning/training-batch.js';

/** A board of 5 x 4 squares with 3 planes and 6 logits per square. */
export const BOARD_SHAPE: NetworkShape = {
  observation: [5, 4, 3],
  numActions: 5 * 4 * 6,
  policyForm: 'convolution',
  config: NetworkConfig.parse({ channels: 4, blocks: 2, valueHidden: 5 }),
};

/** The same input with nine actions that do not lie over the board. */
const DENSE_SHAPE: NetworkShape = { ...BOARD_SHAPE, numActions: 9, policyForm: 'dense' };

const ATTENTION_CONFIG: NetworkConfig = { ...BOARD_SHAPE.config, policyAttention: 3 };

/** The board with moves from square to square, six from each. */
const ATTENTION_SHAPE: NetworkShape = {
  ...BOARD_SHAPE,
  policyForm: 'attention',
  policyTargets: Uint16Array.from({ length: BOARD_SHAPE.numActions }, (_, index) => (index * 7 + 3) % 20),
  config: ATTENTION_CONFIG,
};

/** Every part that a network can have: pooled blocks and all heads. */
export const FULL_CONFIG: NetworkConfig = NetworkConfig.parse({
  channels: 4,
  blocks: 3,
  valueHidden: 5,
  globalPoolEvery: 2,
  globalPoolChannels: 3,
  ...Object.fromEntries(AUXILIARY_HEADS.map(({ name }) => [name, true])),
});

/** Moves from square to square, with every part. */
const FULL_ATTENTION_SHAPE: NetworkShape = {
  ...ATTENTION_SHAPE,
  config: { ...FULL_CONFIG, policyAttention: 3 },
};

/** Actions that do not lie over the board, with every part. */
const FULL_DENSE_SHAPE: NetworkShape = { ...DENSE_SHAPE, config: FULL_CONFIG };

/** The board with every part that a network can have. */
export const FULL_SHAPE: NetworkShape = { ...BOARD_SHAPE, config: FULL_CONFIG };

/** Each form of the policy, plain and with every part, with a name for people. */
export const SHAPES: readonly (readonly [name: string, shape: NetworkShape])[] = [
  ['convolutional policy head', BOARD_SHAPE],
  ['dense policy head', DENSE_SHAPE],
  ['attention as policy head', ATTENTION_SHAPE],
  ['all heads and pooled blocks', FULL_SHAPE],
  ['all heads, dense policies', FULL_DENSE_SHAPE],
  ['all heads, attention for policies', FULL_ATTENTION_SHAPE],
];

/** A different weight for each loss except the policy's, so that mixed-up weights are detected. */
export const LOSS_WEIGHTS = Object.fromEntries(
  HEADS.slice(1).map(({ label }, index) => [`${label}Weight`, 0.7 - index / 10]),
) as LossWeights;

/** A network without zero weights, so that every part has an effect. */
export function randomNetwork(shape: NetworkShape, seed: number): Network {
  const rng = createRng(seed);
  const network = createNetwork(shape, rng);
  network.weights.forEach((weight, i) => {
    if (weight === 0) network.weights[i] = (rng.float() - 0.5) * 0.4;
  });
  return network;
}

export function randomFloats(count: number, rng: Rng): Float32Array {
  return Float32Array.from({ length: count }, () => rng.float());
}

/** Writes random numbers that sum to 1. */
function fillDistribution(out: Float32Array, rng: Rng): void {
  for (let i = 0; i < out.length; i++) out[i] = rng.float() + 0.01;
  const sum = out.reduce((total, value) => total + value);
  for (let i = 0; i < out.length; i++) out[i]! /= sum;
}

/** Random distributions over 1 to `longest` actions. */
function fillActions(columns: ActionColumns, numActions: number, longest: number, rng: Rng): void {
  const size = columns.weights.length;
  columns.reset(size, longest);
  for (let row = 0; row < size; row++) {
    const start = row * columns.width;
    const count = 1 + rng.integer(longest);
    for (let i = start; i < start + count; i++) columns.legal[i] = rng.integer(numActions);
    columns.padding.fill(0, start, start + count);
    fillDistribution(columns.policy.subarray(start, start + count), rng);
    columns.weights[row] = rng.integer(4) === 0 ? 0 : rng.float();
  }
}

/** A full batch, with room for more columns, of `size` random samples with 1 to `longest` legal actions each. */
export function randomBatch(shape: NetworkShape, size: number, longest: number, rng: Rng): TrainingBatch {
  const batch = new TrainingBatch(shape, size, 4 * longest + 64);
  batch.size = size;
  for (let i = 0; i < batch.observations.length; i++) batch.observations[i] = rng.float();
  for (const [{ name }, columns] of batch.targets) {
    if (columns instanceof ActionColumns) {
      // Heads have different widths.
      fillActions(columns, shape.numActions, name === 'policy' ? longest : longest + 30, rng);
      continue;
    }
    const { targets, weights } = batch.columns(name as 'outcome');
    if (name === 'outcome' || name === 'holders') {
      for (let i = 0; i < targets.length; i += 3) fillDistribution(targets.subarray(i, i + 3), rng);
    } else {
      // Targets of plies left are far enough apart for both parts of their loss.
      const greatest = name === 'movesLeft' ? 3 : 1;
      for (let i = 0; i < targets.length; i++) targets[i] = greatest * rng.float();
    }
    for (let i = 0; i < weights.length; i++) weights[i] = rng.integer(4) / (3 * (weights.length / size));
  }
  return batch;
}

/** Rows of careful games; the policy prefers the first legal action, and every fifth game is truncated. */
export function carefulSamples<State>(game: Game<State>, games: number, seed: number): Sample[] {
  const samples: Sample[] = [];
  const buffer = new Int32Array(game.maxLegalActions);
  for (let gameId = 0; gameId < games; gameId++) {
    const rng = createRng(seed, 'test', gameId);
    const state = game.initialState();
    const first = samples.length;
    for (let count = game.legalActions(state, buffer); count > 0 && game.ply(state) < 40;) {
      const position = new Uint8Array(game.packedSize);
      game.pack(state, position, 0);
      const policy = new Float32Array(count).fill(0.5 / count);
      policy[0]! += 0.5;
      const ply = game.ply(state);
      samples.push({
        position,
        player: game.currentPlayer(state),
        ply,
        actions: Uint16Array.from(buffer.subarray(0, count)),
        policy,
        policyWeight: ply % 4 === 3 ? 0 : 1,
        rootValue: ply % 3 === 0 ? null : rng.float() * 2 - 1,
        result: null,
        pliesLeft: 1,
        searchSize: 16,
        gameId,
        played: drawCarefulAction(game, state, rng),
        finalPosition: position,
        surprise: ply % 5 === 0 ? null : rng.float(),
      });
      game.apply(state, samples.at(-1)!.played!);
      count = game.legalActions(state, buffer);
    }
    const finalPosition = new Uint8Array(game.packedSize);
    game.pack(state, finalPosition, 0);
    const outcome = gameId % 5 === 4 ? null : game.outcome(state);
    for (let row = first; row < samples.length; row++) {
      const sample = samples[row]!;
      const result = outcome === null ? null : ((sample.player === 0 ? outcome : 0 - outcome) as -1 | 0 | 1);
      samples[row] = { ...sample, result, pliesLeft: samples.length - row, finalPosition };
    }
  }
  return samples;
}

/** A source of the rows of one shard, numbered in the shard's order. */
export function rowSource(columns: ShardColumns): {
  shard: () => ShardRows;
  index: (row: number) => number;
} {
  const shard = rowsInMemory(columns);
  return { shard: () => shard, index: (row) => row };
}

/** Writes a shard of careful games into `folder` and returns its path. */
export async function writeCarefulShard(game: Game<unknown>, folder: string, games: number): Promise<string> {
  const path = join(folder, 'shard-000000.arrow');
  const { id, rules, rulesVersion, encodingVersion } = game;
  await writeShard(path, {
    columns: columnsOf(carefulSamples(game, games, 1), game.packedSize),
    metadata: {
      game: id,
      rules,
      rulesVersion,
      encodingVersion,
      seed: 1,
      generation: 0,
      configDigest: 'ab'.repeat(32),
      softwareVersion: '0.1.0',
    },
  });
  return path;
}
