import type { Game } from '../../env/game.js';
import type { EngineOptions } from '../agent-spec.js';
import {
  createImmediateAgent,
  createPolicyAgent,
  openAlphaBeta,
  openMcts,
  type SpecReader,
} from '../agent-from-spec.js';
import { type AgentOpeners, refuseEngines } from '../agent-openers.js';
import { expectSolvable } from '../immediate/solver-agent.js';
import { AlphaBetaThinker } from './alpha-beta-thinker.js';
import { ChoosingThinker } from './choosing-thinker.js';
import { MctsThinker } from './mcts-thinker.js';
import { PolicyThinker } from './policy-thinker.js';
import { SolverThinker } from './solver-thinker.js';
import type { Thinker } from './thinking.js';

/** Opens a thinker in another program. */
export type EngineThinkerOpener = <State>(
  options: EngineOptions,
  game: Game<State>,
) => Promise<Thinker<State>>;

/**
 * Makes a thinker of the agent with a specification: `createThinker` (create-thinker.ts) without the parser of texts.
 *
 * @param openers as for `createAgent`; `openEngine` opens a thinker.
 * @throws errors of `createAgent`.
 */
export async function thinkerFromSpec<State>(
  read: SpecReader,
  game: Game<State>,
  { openModel, openEvaluation, openEngine = refuseEngines }: AgentOpeners<EngineThinkerOpener> = {},
): Promise<Thinker<State>> {
  const spec = read();
  switch (spec.kind) {
    case 'alphabeta':
      return new AlphaBetaThinker(game, await openAlphaBeta(spec, game, openEvaluation));
    case 'mcts': {
      const { evaluator, options } = await openMcts(read, game, { openModel, openEvaluation });
      return new MctsThinker(game, evaluator, options);
    }
    case 'solver':
      expectSolvable(game);
      return new SolverThinker(game);
    case 'engine':
      return openEngine(spec.options, game);
    case 'policy':
      return new PolicyThinker(await createPolicyAgent(spec, game, openModel));
    case 'random':
    case 'careful':
    case 'greedy':
      return new ChoosingThinker(createImmediateAgent(spec, game));
  }
}
