import type { Evaluation } from '../env/definition/evaluation.js';
import type { Game } from '../env/game.js';
import { createEvaluation, evaluationNames } from '../env/games.js';
import type { Agent } from './agent.js';
import { MAX_SIMULATIONS } from './search-defaults.js';
import type { AgentSpec } from './agent-spec.js';
import {
  type AgentOpeners,
  type EvaluationOpener,
  type NetworkOpeners,
  refuseEngines,
  refuseNetworks,
} from './agent-openers.js';
import { type AlphaBetaAgentOptions, createAlphaBetaAgent } from './alpha-beta/alpha-beta-agent.js';
import { createCarefulAgent } from './immediate/careful-agent.js';
import { AgentError } from './agent-error.js';
import { BlendedEvaluator } from './evaluators/blended-evaluator.js';
import type { Evaluator } from './evaluators/evaluator.js';
import type { InferenceSession, ModelOpener } from './evaluators/inference-session.js';
import { NetworkEvaluator } from './evaluators/network-evaluator.js';
import { createGreedyAgent } from './immediate/greedy-agent.js';
import type { ImmediateAgent } from './immediate/immediate-agent.js';
import { MctsAgent, type MctsOptions } from './mcts/mcts-agent.js';
import { PolicyAgent } from './policy-agent.js';
import { createRandomAgent } from './immediate/random-agent.js';
import { RolloutEvaluator } from './evaluators/rollout-evaluator.js';
import { formatAgentText } from './text/option-list.js';
import type { PlayOptions } from './play-options.js';
import { createSolverAgent } from './immediate/solver-agent.js';
import { UniformEvaluator } from './evaluators/uniform-evaluator.js';
import { suggestName } from '../env/text/nearest-name.js';
import { quote } from '../env/text/quoted-text.js';

/** Default size of the evaluation cache of an agent's network. */
const CACHE_SIZE = 4096;

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
 * @param blend adds the agent's pattern network to an evaluator, which the result owns.
 * @throws AgentError `agent-unknown` for another kind of agent; errors of `read` and of `openModel`; AgentError
 *   `model-mismatch`; `model-unreadable` for a pattern network without `blend`.
 */
export async function mctsSettings<State>(
  read: SpecReader,
  game: Game<State>,
  openModel: ModelOpener = refuseNetworks,
  blend?: (evaluator: Evaluator) => Evaluator,
): Promise<{ readonly evaluator: Evaluator; readonly options: MctsOptions }> {
  const { model, rollouts, precision, network, timeMs } = mctsOf(read()).options;
  if (network !== undefined && blend === undefined) return refuseNetworks(network);
  const isTimed = timeMs !== undefined;
  const session = model === undefined ? null : await openModel(model, game, precision, isTimed);
  const spec = mctsOf(read(session?.playOptions));
  let evaluator: Evaluator = new UniformEvaluator();
  if (rollouts !== undefined) evaluator = new RolloutEvaluator(game, rollouts);
  else if (session !== null) evaluator = await openNetwork(game, session, spec.options.symmetries);
  if (blend !== undefined) evaluator = blend(evaluator);
  return { evaluator, options: { name: nameOf(spec), ...mctsOptions(spec.options) } };
}

/**
 * `mctsSettings` of an agent that may have a pattern network.
 *
 * @throws errors of `mctsSettings` and of the openers.
 */
export async function openMcts<State>(
  read: SpecReader,
  game: Game<State>,
  { openModel, openEvaluation = refuseNetworks }: NetworkOpeners,
): ReturnType<typeof mctsSettings<State>> {
  const { network } = mctsOf(read()).options;
  if (network === undefined) return mctsSettings(read, game, openModel);
  const evaluation = await openEvaluation(network, game);
  return mctsSettings(read, game, openModel, (inner) => new BlendedEvaluator(game, inner, evaluation));
}

function mctsOf(spec: AgentSpec): Extract<AgentSpec, { kind: 'mcts' }> {
  if (spec.kind === 'mcts') return spec;
  throw new AgentError('agent-unknown', `expected an mcts agent, got ${quote(nameOf(spec))}`);
}

/** Specifications of agents that never wait for evaluations. */
export type ImmediateSpec = Exclude<AgentSpec, { kind: 'mcts' | 'policy' | 'engine' }>;

/** Whether agents of this specification never wait for evaluations. */
export function isImmediate(spec: AgentSpec): spec is ImmediateSpec {
  return spec.kind !== 'mcts' && spec.kind !== 'policy' && spec.kind !== 'engine';
}

/**
 * Makes an agent that plays by the network's priors alone.
 *
 * @throws errors of `openModel`; AgentError `model-mismatch`.
 */
export async function createPolicyAgent<State>(
  spec: Extract<AgentSpec, { kind: 'policy' }>,
  game: Game<State>,
  openModel: ModelOpener = refuseNetworks,
): Promise<PolicyAgent<State>> {
  const { model, symmetries, precision } = spec.options;
  const session = await openModel(model, game, precision);
  return new PolicyAgent(game, await openNetwork(game, session, symmetries), nameOf(spec));
}

type AlphaBetaSpec = Extract<AgentSpec, { kind: 'alphabeta' }>;

/**
 * The settings of an alpha-beta agent.
 *
 * @param evaluation the pattern network's; by default the hand-written one with the agent's weights.
 * @throws AgentError `agent-game` if the game has no such weights; `agent-option` if its network was not opened, as
 *   agents that choose synchronously cannot.
 */
export function alphaBetaSettings<State>(
  spec: AlphaBetaSpec,
  game: Game<State>,
  evaluation?: Evaluation<State>,
): AlphaBetaAgentOptions<State> {
  const { depth, nodes, timeMs, weights, network } = spec.options;
  const name = nameOf(spec);
  const known = evaluationNames(game.id);
  if (network !== undefined && evaluation === undefined) {
    throw new AgentError('agent-option', `expected an agent without files here, got ${quote(name)}`);
  }
  if (weights !== undefined && !known.includes(weights)) {
    const names = known.length === 0 ? 'no weights' : `weights ${known.join(' or ')}`;
    throw new AgentError(
      'agent-game',
      `expected ${names} for ${game.id}, got agent ${quote(name)}${suggestName(weights, known)}`,
    );
  }
  return {
    name,
    limits: { depth, nodes, timeMs },
    evaluation: evaluation ?? createEvaluation(game, weights),
    // The baseline forgets: so it stays what all results are measured against.
    remembers: network !== undefined,
  };
}

/**
 * The settings of an alpha-beta agent, whose network, if it has one, is opened.
 *
 * @throws errors of `alphaBetaSettings` and of `openEvaluation`.
 */
export async function openAlphaBeta<State>(
  spec: AlphaBetaSpec,
  game: Game<State>,
  openEvaluation: EvaluationOpener = refuseNetworks,
): Promise<AlphaBetaAgentOptions<State>> {
  const { network } = spec.options;
  const evaluation = network === undefined ? undefined : await openEvaluation(network, game);
  return alphaBetaSettings(spec, game, evaluation);
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
 * @throws errors of `createAgent`.
 */
export async function agentFromSpec<State>(
  read: SpecReader,
  game: Game<State>,
  { openModel, openEvaluation, openEngine = refuseEngines }: AgentOpeners = {},
): Promise<Agent<State>> {
  const spec = read();
  switch (spec.kind) {
    case 'random':
    case 'careful':
    case 'greedy':
    case 'solver':
      return createImmediateAgent(spec, game);
    case 'alphabeta':
      return createAlphaBetaAgent(game, await openAlphaBeta(spec, game, openEvaluation));
    case 'mcts': {
      const { evaluator, options } = await openMcts(read, game, { openModel, openEvaluation });
      return new MctsAgent(game, evaluator, options);
    }
    case 'engine':
      return openEngine(spec.options, game);
    case 'policy':
      return createPolicyAgent(spec, game, openModel);
  }
}
