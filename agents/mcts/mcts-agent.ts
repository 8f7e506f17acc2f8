import type { Game } from '../../env/game.js';
import type { Agent, Choice, Turn } from '../agent.js';
import { AGENT_BATCH_CAPACITY, EvaluationBatch, type Evaluator } from '../evaluators/evaluator.js';
import type { SearchConfig } from '../search-config.js';
import { runSearches } from './driver.js';
import { Search } from './search.js';
import { deadlineIn } from './simulation-budget.js';

/** Settings of an agent that plays by Monte Carlo tree search. */
export interface MctsOptions {
  /** Its text. */
  readonly name: string;
  readonly config: SearchConfig;
  /** Greatest number of leaves of one game that are evaluated together. */
  readonly leaves: number;
  /** Positions evaluated in a move; no limit by default. */
  readonly nodes?: number | undefined;
  /** Time of a move; no limit by default. */
  readonly timeMs?: number | undefined;
  /** Temperature of the move choice by visits, for `root` `puct`; 0 plays the most visited. */
  readonly temperature: number;
  /** Factor of the Gumbel noise, for `root` `gumbel`. */
  readonly gumbelScale: number;
  /** Bounds the tree's memory, as for `Search`. */
  readonly maxEdges?: number | undefined;
}

/**
 * Plays by Monte Carlo tree search. Keeps a tree for each state object, and at the next turn of the same game reuses
 * the subtree that is still valid.
 */
export class MctsAgent<State> implements Agent<State> {
  readonly name: string;
  readonly game: Game<State>;
  private readonly options: MctsOptions;
  private readonly evaluator: Evaluator;
  private readonly batch: EvaluationBatch;
  private readonly searches = new WeakMap<WeakKey, Search<State>>();
  /** `[L]` scratch. */
  private readonly policy: Float32Array;

  /** @param evaluator owned by the agent, which disposes of it. */
  constructor(game: Game<State>, evaluator: Evaluator, options: MctsOptions) {
    this.name = options.name;
    this.game = game;
    this.options = options;
    this.evaluator = evaluator;
    const capacity = Math.max(AGENT_BATCH_CAPACITY, options.leaves);
    this.batch = new EvaluationBatch(game, capacity, evaluator);
    this.policy = new Float32Array(game.maxLegalActions);
  }

  /** @throws errors of the evaluator. */
  async chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]> {
    // Each game has its own time limit.
    if (this.options.timeMs === undefined) return this.searchAll(turns);
    const choices: Choice[] = [];
    for (const turn of turns) choices.push(...(await this.searchAll([turn])));
    return choices;
  }

  async dispose(): Promise<void> {
    await this.evaluator.dispose();
  }

  private async searchAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]> {
    const { nodes, timeMs } = this.options;
    const effort = { nodes, deadlineMs: deadlineIn(timeMs) };
    const searches = turns.map((turn) => this.searchOf(turn));
    searches.forEach((search, index) => {
      search.begin(turns[index]!.state, effort);
    });
    await runSearches(searches, this.evaluator, this.batch);
    return searches.map((search) => this.choiceOf(search));
  }

  private searchOf({ state, rng }: Turn<State>): Search<State> {
    const known = this.searches.get(state as State & WeakKey);
    if (known !== undefined) return known;
    const { config, leaves, gumbelScale, maxEdges } = this.options;
    const search = new Search(this.game, { config, leaves, gumbelScale, maxEdges }, rng);
    this.searches.set(state as State & WeakKey, search);
    return search;
  }

  private choiceOf(search: Search<State>): Choice {
    search.readRoot();
    search.writePolicy(this.policy);
    const action = search.chooseAction(this.policy, this.options.temperature);
    return {
      action,
      value: search.rootValue,
      principalVariation: search.principalVariation(action),
      statistics: { simulations: search.simulations, visits: search.rootVisits },
    };
  }
}
