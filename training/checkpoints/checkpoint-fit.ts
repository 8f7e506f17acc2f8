import { createGame } from '../../env/games.js';
import type { Checkpoint } from './checkpoint.js';
import { grownConfig } from './grown-checkpoint.js';
import type { NamedParts } from '../config/named-parts.js';
import type { RunConfig } from '../config/run-config.js';
import type { GameIdentity } from '../games/game-config.js';
import { findShapeProblem, type NetworkShape, networkShape } from '../network/network-shape.js';
import { TrainingError } from '../training-error.js';
import { MAX_PARAMETERS, parameterCount, parameterSpecs } from '../network/parameter-specs.js';

/** The game and the network expected of a checkpoint. */
export type ExpectedParts = Pick<RunConfig, 'game' | 'network'>;

/** Names and shapes of all parameters, as text. */
function formOf(shape: NetworkShape): string {
  return JSON.stringify(parameterSpecs(shape).map(({ name, shape: lengths }) => [name, lengths]));
}

/**
 * Checks that a checkpoint is of a game.
 *
 * @param folder of the checkpoint, for the message.
 * @throws TrainingError `checkpoint-game`.
 */
export function checkGame(folder: string, { game: found }: Checkpoint, { id, rules }: GameIdentity): void {
  if (found.id === id && found.rules === rules) return;
  throw new TrainingError(
    'checkpoint-game',
    `expected a checkpoint of ${id}, rules ${rules}; ${folder} is of ${found.id}, rules ${found.rules}`,
  );
}

/**
 * Checks that a checkpoint has the expected game and network shape; its network may have fewer channels and blocks, as
 * `growCheckpoint` adds them.
 *
 * @param folder of the checkpoint, for the message.
 * @throws TrainingError `checkpoint-game`, `checkpoint-network`; NotationError `rules-unknown`.
 */
export function checkFit(folder: string, checkpoint: Checkpoint, expected: ExpectedParts): void {
  const game = createGame(expected.game.id, expected.game.rules);
  checkGame(folder, checkpoint, game);
  const { network } = expected;
  const own = checkpoint.network.shape.config;
  const canBe = findShapeProblem(game, network) === null;
  if (canBe && formOf(networkShape(game, network)) === formOf(networkShape(game, grownConfig(own, network))))
    return;
  const text = JSON.stringify(own);
  throw new TrainingError(
    'checkpoint-network',
    `expected a network of ${JSON.stringify(network)}; ${folder} has one of ${text}: --set 'network=${text}' makes them fit`,
  );
}

/**
 * Checks that a checkpoint has the settings that were given explicitly, and that its network with the given channels
 * and blocks is not too large.
 *
 * @throws the errors of `checkFit`.
 */
export function checkNamedParts(folder: string, checkpoint: Checkpoint, named: NamedParts): void {
  const { id, rules } = checkpoint.game;
  const game = { id: named.game.id ?? id };
  // Rules not given are those of the checkpoint; for another game, its default rules.
  const otherRules = game.id === id ? rules : 'default';
  const network = { ...checkpoint.network.shape.config, ...named.network };
  checkFit(folder, checkpoint, { game: { ...game, rules: named.game.rules ?? otherRules }, network });
  const parameters = parameterCount(networkShape(checkpoint.game, network));
  if (parameters <= MAX_PARAMETERS) return;
  throw new TrainingError(
    'checkpoint-network',
    `expected network.channels and network.blocks for at most ${MAX_PARAMETERS} parameters; with ${network.channels} ` +
      `channels and ${network.blocks} blocks the network of ${folder} has ${parameters}`,
  );
}
