import type { Game } from '../env/game.js';
import { createEvaluation, evaluationNames } from '../env/games.js';
import type { Agent } from './agent.js';
import { MAX_SIMULATIONS } from './search-defaults.js';
import type { AgentSpec, EngineOptions } from './agent-spec.js';
import { type AlphaBetaAgentOptions, createAlphaBetaAgent } from './alpha-beta/alpha-beta-agent.js';
import { createCarefulAgent } from './immediate/careful-agent.js';
import { AgentError } from './agent-error.js';
import type { Evaluator } from './evaluators/evaluator.js';
import type { InferenceSession, ModelOpener } from './evaluators/inference-session.js';
import { NetworkEvaluator } from './evaluators/network-evaluator.js';
import { createGreedyAgent } from './immediate/greedy-agent.js';
import type { ImmediateAgent } from './immediate/immediate-agent.js';
import { MctsAgent, type MctsOptions } from './mcts/mcts-agent.js';
import { PolicyAgent } from './policy-agent.js';
import { createRandomAgent } from './immediate/random-agent.js';
import { RolloutEvaluator } from './evaluators/rollout-evaluator.js';
import { formatAgentText } from './option-list.js';
import type { PlayOptions } from './play-options.js';
import { createSolverAgent } from './immediate/solver-agent.js';
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
  const { leaves, nodes, timeMs, maxEdges } = options;
  const shared = { leaves, nodes, timeMs, maxEdges };
  if (options.root === 'gumbel') {
    return { ...shared, config: options, temperature: 0, gumbelScale: options.gumbelScale };
  }
  const config = { ...options, simulations: options.simulations ?? MAX_SIMULATIONS };
  return { ...shared, config, temperature: options.temperature, gumbelScale: 0 };
}

/**
 * Reads an agent's specification. `playOptions`, those of the model that an `mcts` agent names, are the defaults of
 * options missing from its text.
 */
export type SpecReader = (playOptions?: PlayOptions) => AgentSpec;

/** The canonical text of an agent. */
function nameOf({ kind, options }: AgentSpec): string {
  return formatAgentText(kind, options);
}

/**
 * The evaluator and the settings of an MCTS agent; its user disposes of the evaluator.
 *
 * @param read reads the specification of an `mcts` agent.
 * @throws AgentError `agent-unknown` for another kind of agent; errors of `read` and of `openModel`; AgentError
 *   `model-mismatch`.
 */
export async function mctsSettings<State>(
  read: SpecReader,
  game: Game<State>,
  openModel: ModelOpener = refuseModels,
): Promise<{ readonly evaluator: Evaluator; readonly options: MctsOptions }> {
  const { model, rollouts, precision } = mctsOf(read()).options;
  const session = model === undefined ? null : await openModel(model, game, precision);
  const spec = mctsOf(read(session?.playOptions));
  let evaluator: Evaluator = new UniformEvaluator();
  if (rollouts !== undefined) evaluator = new RolloutEvaluator(game, rollouts);
  else if (session !== null) evaluator = await openNetwork(game, session, spec.options.symmetries);
  return { evaluator, options: { name: nameOf(spec), ...mctsOptions(spec.options) } };
}

function mctsOf(spec: AgentSpec): Extract<AgentSpec, { kind: 'mcts' }> {
  if (spec.kind === 'mcts') return spec;
  throw new AgentError('agent-unknown', `expected an mcts agent, got ${quote(nameOf(spec))}`);
}

/** Specifications of agents that never wait for evaluations. */
export type ImmediateSpec = Exclude<AgentSpec, { kind: 'mcts' | 'policy' | 'engine' }>;

/**
 * Makes an agent that plays by the network's priors alone.
 *
 * @throws errors of `openModel`; AgentError `model-mismatch`.
 */
export async function createPolicyAgent<State>(
  spec: Extract<AgentSpec, { kind: 'policy' }>,
  game: Game<State>,
  openModel: ModelOpener = refuseModels,
): Promise<PolicyAgent<State>> {
  const { model, symmetries, precision } = spec.options;
  const session = await openModel(model, game, precision);
  return new PolicyAgent(game, await openNetwork(game, session, symmetries), nameOf(spec));
}

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
  const name = nameOf(spec);
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
 * Makes the agent of a specification: `createAgent` (create-agent.ts) without the parser of texts, whose library is too
 * large for web pages. The caller disposes of it.
 *
 * @param openModel as for `createAgent`; so is `openEngine`.
 * @throws errors of `createAgent`.
 */
export async function agentFromSpec<State>(
  read: SpecReader,
  game: Game<State>,
  openModel: ModelOpener = refuseModels,
  openEngine: EngineOpener = refuseEngines,
): Promise<Agent<State>> {
  const spec = read();
  switch (spec.kind) {
    case 'random':
    case 'careful':
    case 'greedy':
    case 'alphabeta':
    case 'solver':
      return createImmediateAgent(spec, game);
    case 'mcts': {
      const { evaluator, options } = await mctsSettings(read, game, openModel);
      return new MctsAgent(game, evaluator, options);
    }
    case 'engine':
      return openEngine(spec.options, game);
    case 'policy':
      return createPolicyAgent(spec, game, openModel);
  }
}
