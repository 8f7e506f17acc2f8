import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReplayWindow } from '../../../../data/datasets/replay-window.js';
import { createGame } from '../../../../env/games.js';
import { createRng } from '../../../../env/random.js';
import { fillNormal, networkOf, type Network } from '../../../../training/network/network.js';
import { NetworkConfig } from '../../../../training/network/network-config.js';
import { networkShape } from '../../../../training/network/network-shape.js';
import { parameterCount } from '../../../../training/network/parameter-specs.js';
import type { UnitSample } from '../../../../training/learning/units/dead-units.js';
import { loadTensorflow } from '../../../../training/tensorflow/tensorflow.js';
import { writeCarefulShard } from '../../network/network-fixtures.js';

export const game = createGame('connect-four');
export const shape = networkShape(
  game,
  NetworkConfig.parse({
    channels: 8,
    blocks: 2,
    valueHidden: 8,
    globalPoolEvery: 2,
    globalPoolChannels: 4,
    movesLeft: true,
  }),
);

export const tf = loadTensorflow({ threads: 2 });

/** Positions of careful games by which the units of these networks are judged. */
export async function openSample(games = 120): Promise<UnitSample<unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'gess-test-'));
  try {
    const shard = await writeCarefulShard(game, folder, games);
    // The rows of the window are in memory.
    return { tf, game, window: await ReplayWindow.open([shard], { game, validationShare: 0.2 }) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The layers of units, and what reads the units of each. */
export const READERS: readonly (readonly [string, readonly string[]])[] = [
  ['block1_first', ['block1_second']],
  ['block2_pool', ['block2_shift']],
  ['block2_first', ['block2_second']],
  ['policy_planes', ['policy']],
  ['hidden', ['outcome', 'movesLeft']],
];

/** A network with random weights everywhere, and two dead units in each layer. */
export function networkWithDeadUnits(): Network {
  const weights = new Float32Array(parameterCount(shape));
  fillNormal(weights, 0.05, createRng(3));
  const network = networkOf(shape, weights);
  for (const [name] of READERS) {
    network.parameters.get(`${name}/bias`)!.fill(3);
    for (const place of [0, 3]) network.parameters.get(`${name}/bias`)![place] = -1000;
  }
  return network;
}

/** Whether the row of a kernel, of which there are `groups` for each unit, is zero for the unit. */
export function readsNothing({ parameters }: Network, reader: string, place: number, units: number): boolean {
  const kernel = parameters.get(`${reader}/kernel`)!;
  const outputs = parameters.get(`${reader}/bias`)!.length;
  return Array.from(kernel).every((weight, i) => Math.floor(i / outputs) % units !== place || weight === 0);
}
