import { AgentError } from '../../agents/agent-error.js';
import { alphaBetaSettings, mctsSettings } from '../../agents/agent-from-spec.js';
import type { ModelOpener } from '../../agents/evaluators/inference-session.js';
import { createCarefulAgent } from '../../agents/immediate/careful-agent.js';
import { createGreedyAgent } from '../../agents/immediate/greedy-agent.js';
import { AlphaBetaThinker } from '../../agents/thinking/alpha-beta-thinker.js';
import { ChoosingThinker } from '../../agents/thinking/choosing-thinker.js';
import { MctsThinker } from '../../agents/thinking/mcts-thinker.js';
import type { Thinker } from '../../agents/thinking/thinking.js';
import type { Game } from '../../env/game.js';
import { knownSpec } from '../../session/known-spec.js';

/**
 * Most edges of a search tree, 58 MB: those of about 7,000 positions of Gess, more than a phone evaluates in ten
 * seconds.
 */
const MAX_EDGES = 2_000_000;

/**
 * Makes a thinker of one of the page's own agents: those of `session/levels.ts` and of analysis. `createThinker` would
 * include the code of all kinds.
 *
 * @throws errors of `createThinker`; AgentError `agent-unknown` for a kind that the page does not use.
 */
export async function createPageThinker<State>(
  text: string,
  game: Game<State>,
  openModel: ModelOpener,
): Promise<Thinker<State>> {
  const spec = knownSpec(text);
  switch (spec.kind) {
    case 'careful':
      return new ChoosingThinker(createCarefulAgent(game));
    case 'greedy':
      return new ChoosingThinker(createGreedyAgent(game));
    case 'alphabeta':
      return new AlphaBetaThinker(game, alphaBetaSettings(spec, game));
    case 'mcts': {
      const read = (playOptions = {}): typeof spec => knownSpec(text, playOptions) as typeof spec;
      const { evaluator, options } = await mctsSettings(read, game, openModel);
      return new MctsThinker(game, evaluator, { ...options, maxEdges: MAX_EDGES });
    }
    case 'random':
    case 'solver':
    case 'policy':
    case 'engine':
      throw new AgentError('agent-unknown', `expected an agent of the page, got ${spec.kind}`);
  }
}
