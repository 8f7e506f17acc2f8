import type { Game } from '../../env/game.js';
import { parseAgentSpec } from '../agent-spec.js';
import type { ModelOpener } from '../evaluators/inference-session.js';
import { type EngineThinkerOpener, thinkerFromSpec } from './thinker-from-spec.js';
import type { Thinker } from './thinking.js';

/**
 * Makes a thinker of the agent that a text names. The caller disposes of it. Within the same limits it chooses the
 * moves that the agent plays.
 *
 * @param openModel as for `createAgent`; so is `openEngine`, for the thinker.
 * @throws errors of `createAgent`.
 */
export function createThinker<State>(
  text: string,
  game: Game<State>,
  openModel?: ModelOpener,
  openEngine?: EngineThinkerOpener,
): Promise<Thinker<State>> {
  return thinkerFromSpec((playOptions) => parseAgentSpec(text, playOptions), game, openModel, openEngine);
}
