import { createGame } from '../../../env/games.js';
import type { Checkpoint } from '../../../training/checkpoints/checkpoint.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { randomNetwork } from '../network/network-fixtures.js';

/** A checkpoint with a small network of random weights. */
export function checkpointOf(gameId: string): Checkpoint {
  const game = createGame(gameId);
  const config = NetworkConfig.parse({ channels: 8, blocks: 1, valueHidden: 8 });
  return {
    generation: 2,
    game,
    network: randomNetwork(networkShape(game, config), 1),
    average: null,
    optimizer: null,
    learnerRandom: null,
    configDigest: null,
    softwareVersion: '0.1.0',
  };
}
