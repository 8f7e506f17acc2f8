import type { Game } from '../env/game.js';
import { createEvaluation, evaluationNames } from '../env/games.js';
import type { Agent } from './agent.js';
import { type AgentSpec, type EngineOptions, formatAgentSpec, parseAgentSpec } from './agent-spec.js';
import { type AlphaBetaAgentOptions, createAlphaBetaAgent } from './alpha-beta/alpha-beta-agent.js';
import { createCarefulAgent } from './careful-agent.js';
import { AgentError } from './agent-error.js';
import type { Evaluator } from './evaluators/evaluator.js';
import type { InferenceSession, ModelOpener } from './evaluators/inference-session.js';
import { NetworkEvaluator } from './evaluators/network-evaluator.js';
import { createGreedyAgent } from './greedy-agent.js';
import type { ImmediateAgent } from './immediate-agent.js';
import { MctsAgent, type MctsOptions } from './mcts/mcts-agent.js';
import { PolicyAgent } from './policy-agent.js';
import { createRandomAgent } from './random-agent.js';
import { RolloutEvaluator } from './evaluators/rollout-evaluator.js';
import type { PlayOptions } from './play-options.js';
import { MAX_SIMULATIONS } from './search-config.js';
import { createSolverAgent } from './solver-agent.js';
import { UniformEvaluator } from './evaluators/uniform-evaluator.js';
import { suggestName } from '../env/text/nearest-name.js';
import { quote } from '../env/text/quoted-text.js';

/** Default size of the evaluation cache of an agent's network. */
const CACHE_SIZE = 4096;

/** Used if the caller has no function that opens models. */
const refuseModels: ModelOpener = (path) =>
  Promise.reject(
    new AgentError(
      'model-unreadable',
      `expected createAgent to be called with a function that opens models, for ${quote(path)}; got none`,
    ),
  );

/** Opens an agent in another program. */
export type EngineOpener = <State>(options: EngineOptions, game: Game<State>) => Promise<Agent<State>>;

/** The error of a caller that has no function that opens engines. */
export function refuseEngines({ cmd }: EngineOptions): never {
  throw new AgentError('agent-engine', `expected an agent that runs no other program, got ${quote(cmd)}`);
}

async function openNetwork(
  game: Game<unknown>,
  session: InferenceSession,
  symmetries = 1,
): Promise<Evaluator> {
  return NetworkEvaluator.create(game, session, { cacheSize: CACHE_SIZE, symmetries });
}

type MctsSpec = Extract<AgentSpec, { kind: 'mcts' }>['options'];

function mctsOptions(options: MctsSpec): Omit<MctsOptions, 'name'> {
  const { leaves, nodes, timeMs } = options;
  const shared = { leaves, nodes, timeMs };
  if (options.root === 'gumbel') {
    return { ...shared, config: options, temperature: 0, gumbelScale: options.gumbelScale };
  }
  const config = { ...options, simulations: options.simulations ?? MAX_SIMULATIONS };
  return { ...shared, config, temperature: options.temperature, gumbelScale: 0 };
}

/**
 * The evaluator and the settings of an MCTS agent; its user disposes of the evaluator. The options of the model's
 * specification are the defaults of those that the text does not have.
 *
 * @param text of an `mcts` agent.
 * @throws AgentError `agent-*`; errors of `openModel`; AgentError `model-mismatch`.
 */
export async function mctsSettings<State>(
  text: string,
  game: Game<State>,
  openModel: ModelOpener = refuseModels,
): Promise<{ readonly evaluator: Evaluator; readonly options: MctsOptions }> {
  const { model, rollouts, precision } = parseMcts(text).options;
  const session = model === undefined ? null : await openModel(model, game, precision);
  const spec = parseMcts(text, session?.playOptions);
  let evaluator: Evaluator = new UniformEvaluator();
  if (rollouts !== undefined) evaluator = new RolloutEvaluator(game, rollouts);
  else if (session !== null) evaluator = await openNetwork(game, session, spec.options.symmetries);
  return { evaluator, options: { name: formatAgentSpec(spec), ...mctsOptions(spec.options) } };
}

function parseMcts(text: string, playOptions?: PlayOptions): Extract<AgentSpec, { kind: 'mcts' }> {
  const spec = parseAgentSpec(text, playOptions);
  if (spec.kind === 'mcts') return spec;
  throw new AgentError('agent-unknown', `expected an mcts agent, got ${quote(text)}`);
}

/** The texts of agents without a search that waits for evaluations. */
export type ImmediateSpec = Exclude<AgentSpec, { kind: 'mcts' | 'policy' | 'engine' }>;

/**
 * The settings of an alpha-beta agent.
 *
 * @throws AgentError `agent-game` if the game has no such weights.
 */
export function alphaBetaSettings<State>(
  spec: Extract<AgentSpec, { kind: 'alphabeta' }>,
  game: Game<State>,
): AlphaBetaAgentOptions<State> {
  const { depth, nodes, timeMs, weights } = spec.options;
  const name = formatAgentSpec(spec);
  const known = evaluationNames(game.id);
  if (weights !== undefined && !known.includes(weights)) {
    const names = known.length === 0 ? 'no weights' : `weights ${known.join(' or ')}`;
    throw new AgentError(
      'agent-game',
      `expected ${names} for ${game.id}, got agent ${quote(name)}${suggestName(weights, known)}`,
    );
  }
  return { name, limits: { depth, nodes, timeMs }, evaluation: createEvaluation(game, weights) };
}

/**
 * Makes an agent that chooses synchronously.
 *
 * @throws AgentError `agent-game` if it does not play this game.
 */
export function createImmediateAgent<State>(spec: ImmediateSpec, game: Game<State>): ImmediateAgent<State> {
  switch (spec.kind) {
    case 'random':
      return createRandomAgent(game);
    case 'careful':
      return createCarefulAgent(game);
    case 'greedy':
      return createGreedyAgent(game);
    case 'alphabeta':
      return createAlphaBetaAgent(game, alphaBetaSettings(spec, game));
    case 'solver':
      return createSolverAgent(game);
  }
}

/**
 * Makes the agent that a text describes (agent-spec.ts). The caller disposes of it.
 *
 * @param openModel opens the model of an agent with a network; in Node `openModelFile` of
 *   `training/export/model-file.ts`. Without it such agents are refused.
 * @param openEngine opens an agent in another program; in Node `openAgent` of `training/export/open-agent.ts` has one. Without it
 *   such agents are refused.
 * @throws AgentError `agent-syntax`, `agent-unknown`, `agent-option`, `agent-game`; for its model `model-unreadable` if there
 *   is no `openModel`, `model-mismatch`; `agent-engine` if there is no `openEngine`; errors of both functions.
 */
export async function createAgent<State>(
  text: string,
  game: Game<State>,
  openModel: ModelOpener = refuseModels,
  openEngine: EngineOpener = refuseEngines,
): Promise<Agent<State>> {
  const spec = parseAgentSpec(text);
  const name = formatAgentSpec(spec);
  switch (spec.kind) {
    case 'random':
    case 'careful':
    case 'greedy':
    case 'alphabeta':
    case 'solver':
      return createImmediateAgent(spec, game);
    case 'mcts': {
      const { evaluator, options } = await mctsSettings(text, game, openModel);
      return new MctsAgent(game, evaluator, options);
    }
    case 'engine':
      return openEngine(spec.options, game);
    case 'policy': {
      const { model, symmetries, precision } = spec.options;
      const session = await openModel(model, game, precision);
      return new PolicyAgent(game, await openNetwork(game, session, symmetries), name);
    }
  }
}
