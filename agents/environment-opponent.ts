import type { Opponent } from '../env/environments/opponent.js';
import type { Game } from '../env/game.js';
import { parseAgentSpec } from './agent-spec.js';
import { createImmediateAgent } from './create-agent.js';
import { AgentError } from './agent-error.js';

/**
 * An agent as the opponent of an environment for one agent: `make(id, { opponent: 'alphabeta:depth=1' },
 * { createOpponent })`. Environments wait for nothing, so agents with a network cannot be one. With
 * `alphabeta:timeMs=…` the same seed need not give the same episode.
 *
 * @throws AgentError `agent-syntax`, `agent-option`, `agent-game`; `agent-unknown` for one that is not known or that has to wait.
 */
export function createOpponent(text: string, game: Game<unknown>): Opponent {
  const spec = parseAgentSpec(text);
  if (spec.kind === 'mcts' || spec.kind === 'policy') {
    const known = 'random, careful, greedy, alphabeta or solver';
    throw new AgentError('agent-unknown', `expected as opponent an agent ${known}, got '${text}'`);
  }
  const agent = createImmediateAgent(spec, game);
  return { name: agent.name, choose: (state, rng) => agent.choose({ state, rng }).action };
}
