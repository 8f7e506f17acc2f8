import { type AgentSpec, parseAgentSpec } from '../../agents/agent-spec.js';
import type { ThinkingLimits } from '../../agents/thinking/thinking.js';

/** The greatest value of each limit of a search that a client asks for; the least is 1. */
export const GREATEST_LIMITS = {
  depth: 64,
  nodes: 1e12,
  simulations: 1e6,
  timeMs: 1e9,
} as const satisfies Record<keyof ThinkingLimits, number>;

/** The limits at which each kind of agent ends its search. */
const KNOWN: Readonly<Record<AgentSpec['kind'], readonly (keyof ThinkingLimits)[]>> = {
  alphabeta: ['depth', 'nodes', 'timeMs'],
  mcts: ['simulations', 'nodes', 'timeMs'],
  engine: ['depth', 'simulations', 'nodes', 'timeMs'],
  solver: ['timeMs'],
  random: [],
  careful: [],
  greedy: [],
  policy: [],
};

/**
 * Those of the limits that an agent knows: a search that is limited by others alone would have no end.
 *
 * @returns undefined if it knows none of them: the limits of its text.
 * @throws AgentError for a text of no agent.
 */
export function knownLimits(agent: string, limits: ThinkingLimits): ThinkingLimits | undefined {
  const known = KNOWN[parseAgentSpec(agent).kind].filter((name) => limits[name] !== undefined);
  if (known.length === 0) return undefined;
  return Object.fromEntries(known.map((name) => [name, limits[name]]));
}
