import type { Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { AGENT_BATCH_CAPACITY, EvaluationBatch, type Evaluator } from '../evaluators/evaluator.js';
import { type DrivenSearch, runSearches } from '../mcts/driver.js';
import type { MctsOptions } from '../mcts/mcts-agent.js';
import { UNPROVEN } from '../mcts/proof.js';
import type { RootStatistics } from '../mcts/root-statistics.js';
import { Search } from '../mcts/search.js';
import { deadlineIn } from '../mcts/simulation-budget.js';
import { MAX_SIMULATIONS } from '../search-defaults.js';
import { repliesTo } from './best-replies.js';
import type { Candidate, MovePrior, Thinker, ThinkingLimits, ThinkingOptions, Thought } from './thinking.js';

/** Time between two thoughts that are reported. */
const REPORT_MS = 250;

/** Thinks by Monte Carlo tree search, as `MctsAgent` plays. */
export class MctsThinker<State> implements Thinker<State> {
  readonly name: string;
  readonly game: Game<State>;
  readonly limits: ThinkingLimits;
  private readonly options: MctsOptions;
  private readonly evaluator: Evaluator;
  private readonly batch: EvaluationBatch;
  private rng: Rng | undefined;
  /** The search of this game, whose tree is reused, and its greatest number of simulations. */
  private search: Search<State> | undefined;
  private searchSimulations = 0;
  /** `[L]` scratch. */
  private readonly policy: Float32Array;

  /** @param evaluator owned by the thinker, which disposes of it. */
  constructor(game: Game<State>, evaluator: Evaluator, options: MctsOptions) {
    const { name, config, nodes, timeMs, leaves } = options;
    this.name = name;
    this.game = game;
    // A text without a number of simulations has the greatest possible one.
    const simulations = config.simulations === MAX_SIMULATIONS ? undefined : config.simulations;
    this.limits = { simulations, nodes, timeMs };
    this.options = options;
    this.evaluator = evaluator;
    const capacity = Math.max(AGENT_BATCH_CAPACITY, leaves);
    this.batch = new EvaluationBatch(game, capacity, evaluator);
    this.policy = new Float32Array(game.maxLegalActions);
  }

  newGame(rng: Rng): void {
    this.rng = rng;
    // The tree itself may take hundreds of MB.
    this.search?.forget(rng);
  }

  async think(state: State, options: ThinkingOptions): Promise<Thought> {
    const { limits, shouldStop, onThought } = options;
    const { root, simulations: scheduled } = this.options.config;
    // A Gumbel root schedules its simulations in advance; nodes and time may cut them short.
    const { nodes, timeMs, simulations = root === 'gumbel' ? scheduled : MAX_SIMULATIONS } = limits;
    const search = this.searchOf(simulations);
    search.begin(state, { nodes, deadlineMs: deadlineIn(timeMs), shouldStop });
    const report =
      onThought &&
      (() => {
        onThought(this.thoughtOf(search, options, 0));
      });
    await runSearches(
      [report === undefined ? search : reporting(search, report)],
      this.evaluator,
      this.batch,
    );
    return this.thoughtOf(search, options, this.options.temperature);
  }

  async dispose(): Promise<void> {
    await this.evaluator.dispose();
  }

  private searchOf(simulations: number): Search<State> {
    if (this.search !== undefined && this.searchSimulations === simulations) return this.search;
    const { config, leaves, gumbelScale, maxEdges } = this.options;
    this.search = new Search(
      this.game,
      { config: { ...config, simulations }, leaves, gumbelScale, maxEdges },
      this.rng!,
    );
    this.searchSimulations = simulations;
    return this.search;
  }

  /** @param temperature of the choice of the first candidate; 0 draws nothing from the random stream of the game. */
  private thoughtOf(search: Search<State>, options: ThinkingOptions, temperature: number): Thought {
    const { lines = 1, treePlies = 1, withPolicy = false } = options;
    const root = search.readRoot();
    search.writePolicy(this.policy);
    const best = search.chooseAction(this.policy, temperature);
    const order = Array.from({ length: root.count }, (_, index) => index);
    // The move to play first; then by visits, unvisited ones by prior.
    const rank = (index: number): number => (root.actions[index] === best ? Infinity : root.visits[index]!);
    order.sort((one, other) => rank(other) - rank(one) || root.priors[other]! - root.priors[one]!);
    const candidates = order.slice(0, lines).map((index) => {
      const candidate = this.candidateOf(search, index);
      if (treePlies === 1) return candidate;
      return {
        ...candidate,
        replies: repliesTo(search.tree, candidate.action, { count: lines, plies: treePlies - 1 }),
      };
    });
    const work = { simulations: search.simulations, visits: search.rootVisits };
    return withPolicy ? { candidates, ...work, policy: policyOf(root) } : { candidates, ...work };
  }

  private candidateOf(search: Search<State>, index: number): Candidate {
    const { actions, visits, priors, qValues, proofs } = search.root;
    const action = actions[index]!;
    const isKnown = visits[index]! > 0 || proofs[index] !== UNPROVEN;
    return {
      action,
      value: isKnown ? qValues[index]! : undefined,
      visits: visits[index]!,
      prior: priors[index]!,
      principalVariation: search.principalVariation(action),
    };
  }
}

/** The root's actions and priors. */
function policyOf({ count, actions, priors }: RootStatistics): readonly MovePrior[] {
  return Array.from({ length: count }, (_, index) => ({ action: actions[index]!, prior: priors[index]! }));
}

/** A search that calls `report` from time to time as it receives evaluations. */
function reporting<State>(search: Search<State>, report: () => void): DrivenSearch {
  let next = performance.now() + REPORT_MS;
  return {
    leaves: search.leaves,
    get isDone() {
      return search.isDone;
    },
    advance: (batch) => search.advance(batch),
    receive: (batch, index) => {
      search.receive(batch, index);
      if (performance.now() < next) return;
      report();
      next = performance.now() + REPORT_MS;
    },
  };
}
