import { type Game, gameWithPlanes } from '../../env/game.js';
import type { BaseShape } from './base-shape.js';
import { auxiliaryHeadsOf } from './heads/head-table.js';
import type { NetworkConfig } from './network-config.js';

/** Everything that determines the parameters of a network. */
export interface NetworkShape extends BaseShape {
  readonly config: NetworkConfig;
}

/** A setting that networks of a game cannot have. */
export interface ShapeProblem {
  readonly setting: keyof NetworkConfig;
  readonly message: string;
}

/**
 * The game as a network sees it: with planes of moves if the network reads them. `findShapeProblem` reports a game that
 * has none.
 */
export function gameOfNetwork<State>(
  game: Game<State>,
  { movePlanes }: Pick<NetworkConfig, 'movePlanes'>,
): Game<State> {
  return gameWithPlanes(game, movePlanes) ?? game;
}

/** The first setting of `config` that networks of `game` cannot have; null if there is none. */
export function findShapeProblem(game: Game<unknown>, config: NetworkConfig): ShapeProblem | null {
  // Targets are read only if needed: some games compute them on first access.
  if (config.policyAttention > 0 && game.policyTargets === undefined) {
    const message = `moves of ${game.id} do not go from square to square`;
    return { setting: 'policyAttention', message };
  }
  if (gameWithPlanes(game, config.movePlanes) === null) {
    return { setting: 'movePlanes', message: `${game.id} has no planes of moves` };
  }
  for (const head of auxiliaryHeadsOf(config)) {
    const message = head.unsupported(game);
    if (message !== null) return { setting: head.name, message };
  }
  return null;
}

/**
 * The shape that fits `game`, with a policy head over the squares if policy indices lie over the board.
 *
 * @throws RangeError for a setting that `findShapeProblem` reports; configurations and checkpoints are checked earlier.
 */
export function networkShape(game: Game<unknown>, config: NetworkConfig): NetworkShape {
  const problem = findShapeProblem(game, config);
  if (problem !== null) throw new RangeError(`network.${problem.setting}: ${problem.message}`);
  const { observationShape: observation, policyShape, numActions } = gameOfNetwork(game, config);
  if (config.policyAttention > 0) {
    return {
      observation,
      numActions,
      policyForm: 'attention',
      policyTargets: game.policyTargets!,
      config,
    };
  }
  const liesOverBoard = policyShape[0] === observation[0] && policyShape[1] === observation[1];
  return { observation, numActions, policyForm: liesOverBoard ? 'convolution' : 'dense', config };
}
