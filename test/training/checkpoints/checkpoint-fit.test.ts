import { expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import type { Checkpoint } from '../../../training/checkpoints/checkpoint.js';
import { checkNamedParts } from '../../../training/checkpoints/checkpoint-fit.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { networkShape } from '../../../training/network/network-shape.js';

const game = createGame('connect-four');

/** A checkpoint whose trunk is as wide as possible; nothing but its shape is read. */
const wide: Checkpoint = {
  generation: 3,
  game,
  network: {
    shape: networkShape(game, NetworkConfig.parse({ channels: 512, blocks: 1 })),
    weights: new Float32Array(),
    parameters: new Map(),
  },
  average: null,
  optimizer: null,
  learnerRandom: null,
  configDigest: null,
  softwareVersion: '1.0.0',
};

test.each([1, 20])('a wide checkpoint can have %i blocks', (blocks) => {
  expect(() => {
    checkNamedParts('runs/wide', wide, { game: {}, network: { blocks } });
  }).not.toThrow();
});

test('a wide checkpoint cannot grow beyond the limit of parameters', () => {
  expect(() => {
    checkNamedParts('runs/wide', wide, { game: {}, network: { blocks: 64 } });
  }).toThrow(
    /^expected network\.channels and network\.blocks for at most 120000000 parameters; with 512 channels and 64 blocks the network of runs\/wide has 30\d{7}$/,
  );
});
