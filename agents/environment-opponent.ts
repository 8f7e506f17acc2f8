import type { Opponent } from '../env/environments/opponent.js';
import type { Game } from '../env/game.js';
import { parseAgentSpec } from './agent-spec.js';
import { createImmediateAgent, isImmediate } from './agent-from-spec.js';
import { requireGame } from './create-agent.js';
import { AgentError } from './agent-error.js';
import { quote } from '../env/text/quoted-text.js';

/**
 * Makes an agent the opponent in a single-agent environment: `make(id, { opponent: 'alphabeta:depth=1' },
 * { createOpponent })`. Environments are synchronous, so agents with a network are refused. With
 * `alphabeta:timeMs=…` equal seeds may lead to different episodes.
 *
 * @throws AgentError `agent-syntax`, `agent-option`, `agent-game`; `agent-unknown` for an unknown agent or an
 *   asynchronous one.
 */
export function createOpponent(text: string, game: Game<unknown>): Opponent {
  requireGame(game);
  const spec = parseAgentSpec(text);
  if (!isImmediate(spec)) {
    const known = 'random, careful, greedy, alphabeta or solver';
    throw new AgentError('agent-unknown', `expected as opponent an agent ${known}, got ${quote(text)}`);
  }
  const agent = createImmediateAgent(spec, game);
  return { name: agent.name, choose: (state, rng) => agent.choose({ state, rng }).action };
}
