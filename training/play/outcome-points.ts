import type { Outcome } from '../../env/game.js';

/** Points of a player for an outcome to this player. */
export function pointsOfOutcome(outcome: Outcome): 0 | 0.5 | 1 {
  return outcome > 0 ? 1 : outcome < 0 ? 0 : 0.5;
}
