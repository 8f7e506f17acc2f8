import type { Game } from '../env/game.js';
import type { Agent } from './agent.js';
import { agentFromSpec, type EngineOpener } from './agent-from-spec.js';
import { parseAgentSpec } from './agent-spec.js';
import type { ModelOpener } from './evaluators/inference-session.js';

/**
 * Makes the agent that a text describes (agent-spec.ts). The caller disposes of it.
 *
 * @param openModel opens the model of an agent with a network; in Node `openModelFile` of
 *   `training/export/model-file.ts`. Without it such agents are refused.
 * @param openEngine opens an agent in another program; in Node see `openAgent` of `training/export/open-agent.ts`.
 *   Without it such agents are refused.
 * @throws AgentError `agent-syntax`, `agent-unknown`, `agent-option`, `agent-game`; for its model `model-unreadable` if
 *   there is no `openModel`, `model-mismatch`; `agent-engine` if there is no `openEngine`; errors of both functions.
 */
export function createAgent<State>(
  text: string,
  game: Game<State>,
  openModel?: ModelOpener,
  openEngine?: EngineOpener,
): Promise<Agent<State>> {
  return agentFromSpec((playOptions) => parseAgentSpec(text, playOptions), game, openModel, openEngine);
}
