import type { Game, Symmetry } from '../../env/game.js';
import type { LearnerConfig } from '../config/groups/learner-config.js';

/**
 * The symmetries that are applied to samples, the identity first.
 *
 * Boards with the sides at other edges never occur in play (game.ts). Training on them costs strength while
 * the network still improves on boards that do occur (docs/results/runs.md has the measurements).
 */
export function learntSymmetries<State>(
  game: Game<State>,
  setting: LearnerConfig['symmetries'],
): readonly Symmetry[] {
  if (setting === true) return game.symmetries;
  if (setting === false) return game.symmetries.slice(0, 1);
  return game.symmetries.filter(({ turnsSides }) => turnsSides !== true);
}
