import type { Game, Symmetry } from '../../env/game.js';
import { AgentError } from '../agent-error.js';

/**
 * The symmetries of a game over which a network is averaged.
 *
 * @param count of the symmetries, the identity first.
 * @throws AgentError `agent-option` if the game has fewer.
 */
export function firstSymmetries({ id, symmetries }: Game<unknown>, count: number): readonly Symmetry[] {
  if (count > symmetries.length) {
    const expected = `expected symmetries from 1 to ${symmetries.length} in ${id}`;
    throw new AgentError('agent-option', `${expected}, got ${count}`);
  }
  return symmetries.slice(0, count);
}
