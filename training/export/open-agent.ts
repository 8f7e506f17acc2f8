import type { Agent } from '../../agents/agent.js';
import { createAgent } from '../../agents/create-agent.js';
import { createThinker } from '../../agents/thinking/create-thinker.js';
import type { Thinker } from '../../agents/thinking/thinking.js';
import type { Game } from '../../env/game.js';
import { openModelFile } from './model-file.js';
import { ForeignEngine } from '../play/engines/foreign-engine.js';

/**
 * Creates the agent that a text describes, with models from files and engines in their own processes. The caller
 * disposes of it.
 *
 * @throws errors of `createAgent`, `openModelFile` and `ForeignEngine.open`.
 */
export function openAgent<State>(text: string, game: Game<State>): Promise<Agent<State>> {
  return createAgent(text, game, openModelFile, (options, played) => ForeignEngine.open(options, played));
}

/**
 * Creates the thinker of the agent that a text describes, as `openAgent` does.
 *
 * @throws errors of `openAgent`.
 */
export function openThinker<State>(text: string, game: Game<State>): Promise<Thinker<State>> {
  return createThinker(text, game, openModelFile, (options, played) => ForeignEngine.open(options, played));
}
