import type { Game, Symmetry } from '../../env/game.js';
import type { LearnerConfig } from '../config/learner-config.js';

/**
 * The symmetries that samples are turned by, the identity first.
 *
 * Boards on which the sides have other edges never come up in play (game.ts). A network that has not learnt all it could
 * from the others learns them in vain: docs/training.md has how much it loses.
 */
export function learntSymmetries<State>(
  game: Game<State>,
  setting: LearnerConfig['symmetries'],
): readonly Symmetry[] {
  if (setting === true) return game.symmetries;
  if (setting === false) return game.symmetries.slice(0, 1);
  return game.symmetries.filter(({ turnsSides }) => turnsSides !== true);
}
