import type { Game, Symmetry } from '../../env/game.js';
import type { LearnerConfig } from '../config/groups/learner-config.js';

/**
 * The symmetries that are applied to samples, the identity first.
 *
 * Boards on which the sides start from other edges never occur in play (game.ts). Learning from them weakens a network
 * that still improves on the others (docs/results/runs.md has the measurements).
 */
export function learntSymmetries<State>(
  game: Game<State>,
  setting: LearnerConfig['symmetries'],
): readonly Symmetry[] {
  if (setting === true) return game.symmetries;
  if (setting === false) return game.symmetries.slice(0, 1);
  return game.symmetries.filter(({ turnsSides }) => turnsSides !== true);
}
