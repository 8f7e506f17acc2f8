import { type AgentSpec, parseAgentSpec } from '../../agents/agent-spec.js';
import { MAX_DEPTH } from '../../agents/alpha-beta/search-values.js';
import { MAX_NODES, MAX_SIMULATIONS, MAX_TIME_MS } from '../../agents/search-defaults.js';
import type { ThinkingLimits } from '../../agents/thinking/thinking.js';

/** The greatest value of each limit of a search that a client asks for; the least is 1. */
export const GREATEST_LIMITS = {
  depth: MAX_DEPTH,
  nodes: MAX_NODES,
  simulations: MAX_SIMULATIONS,
  timeMs: MAX_TIME_MS,
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
 * Selects the limits that an agent supports: with only unsupported ones, a search would never end.
 *
 * @returns undefined if it supports none of them; the limits in its text then apply.
 * @throws AgentError for an invalid text.
 */
export function knownLimits(agent: string, limits: ThinkingLimits): ThinkingLimits | undefined {
  const known = KNOWN[parseAgentSpec(agent).kind].filter((name) => limits[name] !== undefined);
  if (known.length === 0) return undefined;
  return Object.fromEntries(known.map((name) => [name, limits[name]]));
}
