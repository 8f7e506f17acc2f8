import type { AgentSpec } from '../agents/agent-spec.js';
import { playOptionsFor, withSimulations } from '../agents/text/given-options.js';
import { parseOptions, splitAgentText } from '../agents/text/option-list.js';
import type { PlayOptions } from '../agents/play-options.js';
import { MCTS_DEFAULTS, PUCT_DEFAULTS } from '../agents/search-defaults.js';

/**
 * Parses an agent's text that this program wrote, such as a level's, without the checks of `parseAgentSpec`:
 * zod would be a third of the page's code. The text must be valid, and any search in it must use PUCT.
 *
 * @param playOptions of the model that it names, as for `parseAgentSpec`.
 */
export function knownSpec(text: string, playOptions: PlayOptions = {}): AgentSpec {
  const { kind, list } = splitAgentText(text);
  const given = Object.fromEntries(list === undefined ? [] : parseOptions(text, list));
  const isSearch = kind === 'mcts';
  const options = isSearch
    ? {
        ...PUCT_DEFAULTS,
        ...MCTS_DEFAULTS,
        ...withSimulations({ ...playOptionsFor(given, playOptions), ...given }),
      }
    : given;
  return { kind, options } as AgentSpec;
}
