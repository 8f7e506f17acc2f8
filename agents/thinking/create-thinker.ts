import type { Game } from '../../env/game.js';
import type { AgentOpeners } from '../agent-openers.js';
import { parseAgentSpec } from '../agent-spec.js';
import { type EngineThinkerOpener, thinkerFromSpec } from './thinker-from-spec.js';
import type { Thinker } from './thinking.js';

/**
 * Makes a thinker of the agent that a text names. The caller disposes of it. Within the same limits it chooses the
 * moves that the agent plays.
 *
 * @param openers as for `createAgent`; `openEngine` opens a thinker.
 * @throws errors of `createAgent`.
 */
export function createThinker<State>(
  text: string,
  game: Game<State>,
  openers: AgentOpeners<EngineThinkerOpener> = {},
): Promise<Thinker<State>> {
  return thinkerFromSpec((playOptions) => parseAgentSpec(text, playOptions), game, openers);
}
