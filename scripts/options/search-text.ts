import { AgentError } from '../../agents/agent-error.js';
import { parseAgentSpec } from '../../agents/agent-spec.js';
import { SearchConfig } from '../../agents/search-config.js';
import { parseOptions } from '../../agents/text/option-list.js';
import { quote } from '../../env/text/quoted-text.js';

/** Settings of a search, as in an agent's text. */
export interface SearchSettings {
  readonly config: SearchConfig;
  /** Factor of the noise of a Gumbel root. */
  readonly gumbelScale: number;
}

/**
 * Parses settings of a search without its model: `root=gumbel,simulations=64,gumbelScale=1`. Options of players only,
 * such as `timeMs` and `leaves`, are refused.
 *
 * @throws AgentError `agent-syntax`, `agent-option`.
 */
export function parseSearchText(text: string): SearchSettings {
  const spec = parseAgentSpec(`mcts:${text}`);
  if (spec.kind !== 'mcts' || spec.options.model !== undefined || spec.options.rollouts !== undefined) {
    throw new AgentError('agent-option', `expected settings of a search without a model, got '${text}'`);
  }
  const { options } = spec;
  const { shape } = SearchConfig.options.find((each) => each.shape.root.safeParse(options.root).success)!;
  const names = [...Object.keys(shape), ...(options.root === 'gumbel' ? ['gumbelScale'] : [])];
  // Defaults of a player are in its options, too; an option of 1.0.0 without its method is in the text only.
  const other = [...parseOptions(text, text).keys()].find((name) => name in options && !names.includes(name));
  if (other !== undefined) {
    const expected = `expected settings of a search: ${names.join(', ')}`;
    throw new AgentError('agent-option', `${expected}; got ${quote(other)} in ${quote(text)}`);
  }
  const gumbelScale = options.root === 'gumbel' ? options.gumbelScale : 0;
  const known = Object.entries(options).filter(([name]) => name in shape);
  return { config: SearchConfig.parse(Object.fromEntries(known)), gumbelScale };
}
