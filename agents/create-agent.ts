import { type Game, isGame } from '../env/game.js';
import { describeValue } from '../env/text/described-value.js';
import type { Agent } from './agent.js';
import { agentFromSpec } from './agent-from-spec.js';
import type { AgentOpeners, EngineOpener } from './agent-openers.js';
import { AgentError } from './agent-error.js';
import { parseAgentSpec } from './agent-spec.js';
import type { ModelOpener } from './evaluators/inference-session.js';

/** @throws AgentError `agent-game` if it is not an object of `createGame`. */
export function requireGame(game: unknown): void {
  if (isGame(game)) return;
  throw new AgentError(
    'agent-game',
    `expected a game, such as createGame('gess'), got ${describeValue(game)}`,
  );
}

/**
 * Makes the agent that a text describes (agent-spec.ts). The caller disposes of it.
 *
 * @param openers functions that open what the text names; for all agents in Node see `openAgent` of
 *   `training/export/open-agent.ts`. Version 1.0.0 took `openModel` alone, and `openEngine` after it.
 * @throws AgentError `agent-syntax`, `agent-unknown`, `agent-option`, `agent-game`; for its network `model-unreadable`
 *   if there is no function that opens it, `model-mismatch`; `agent-engine` if there is no `openEngine`; errors of
 *   these functions.
 */
export async function createAgent<State>(
  text: string,
  game: Game<State>,
  openers: AgentOpeners | ModelOpener = {},
  openEngine?: EngineOpener,
): Promise<Agent<State>> {
  requireGame(game);
  const given: unknown = openers;
  if (typeof given !== 'function' && (typeof given !== 'object' || given === null)) {
    const found = describeValue(given);
    throw new AgentError('agent-option', `expected functions that open networks, got ${found}`);
  }
  const all = typeof openers === 'function' ? { openModel: openers, openEngine } : openers;
  return agentFromSpec((playOptions) => parseAgentSpec(text, playOptions), game, all);
}
