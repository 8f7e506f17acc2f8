import type { EvaluationBatch, Evaluator } from '../../agents/evaluators/evaluator.js';
import { runSearches } from '../../agents/mcts/driver.js';
import { Search } from '../../agents/mcts/search.js';
import { SearchConfig } from '../../agents/search-config.js';
import { type Action, type Game, outcomeTo } from '../../env/game.js';
import { createRng, type Rng } from '../../env/random.js';

/** Most actions of a position that are judged: those with the highest policies. */
const MOST_JUDGED = 16;
/** Actions with a lower policy in all targets are not judged. */
const LEAST_POLICY = 0.01;
/** The value of a position is judged by this many times the simulations that judge a move. */
const VALUE_EFFORT = 6;

/** A kind of search whose targets are measured. */
export interface MeasuredSearch {
  readonly name: string;
  readonly config: SearchConfig;
  /** Factor of the noise of a Gumbel root. */
  readonly gumbelScale: number;
}

/** Distance of a search's targets from the best ones, as means over positions. Values are in [-1, 1]. */
export interface TargetRegret {
  readonly name: string;
  readonly positions: number;
  /** Loss of value by playing moves with the probabilities of the policy. */
  readonly policyRegret: number;
  /** Loss of value by the policy's most probable move. */
  readonly bestRegret: number;
  /** Loss of value by the move that the search chose. */
  readonly moveRegret: number;
  /** Mean and root mean square of the differences between the root's mean value and that of a long search. */
  readonly rootBias: number;
  readonly rootError: number;
  /** The same of the value that learners take (`Search.valueOfPolicy`). */
  readonly valueBias: number;
  readonly valueError: number;
}

/** The answers of one search for one position. */
interface Target {
  readonly policy: Float32Array;
  readonly action: Action;
  readonly rootValue: number;
  readonly value: number;
}

/** Results of independent searches of one position. */
interface Judgement {
  /** Values to the mover of the actions that were judged. */
  readonly values: ReadonlyMap<Action, number>;
  /** Value of the position, to the mover. */
  readonly value: number;
}

/** Independent searches of the positions behind moves. */
class Judge<State> {
  private readonly game: Game<State>;
  private readonly evaluator: Evaluator;
  private readonly batch: EvaluationBatch;
  private readonly searches: readonly Search<State>[];
  private readonly rootSearch: Search<State>;

  constructor(game: Game<State>, { evaluator, batch, simulations }: RegretTools, rng: Rng) {
    this.game = game;
    this.evaluator = evaluator;
    this.batch = batch;
    const searchOf = (count: number): Search<State> =>
      new Search(game, { config: SearchConfig.parse({ simulations: count }) }, rng);
    this.searches = Array.from({ length: 2 * MOST_JUDGED }, () => searchOf(simulations));
    this.rootSearch = searchOf(VALUE_EFFORT * simulations);
  }

  async judge(state: State, actions: readonly Action[]): Promise<Judgement> {
    const { game, searches, rootSearch } = this;
    const mover = game.currentPlayer(state);
    const values = new Map<Action, number>();
    const open: Search<State>[] = [];
    const openActions: Action[] = [];
    for (const action of actions) {
      const after = game.clone(state);
      game.apply(after, action);
      const outcome = game.outcome(after);
      if (outcome !== null) {
        values.set(action, outcomeTo(mover, outcome));
        continue;
      }
      const search = searches[open.length]!;
      search.begin(after);
      open.push(search);
      openActions.push(action);
    }
    rootSearch.begin(state);
    await runSearches([...open, rootSearch], this.evaluator, this.batch);
    for (const [index, action] of openActions.entries()) values.set(action, 0 - open[index]!.rootValue);
    return { values, value: rootSearch.rootValue };
  }
}

/** The actions to judge: those that a target plays or finds probable. */
function actionsToJudge(actions: Int32Array, targets: readonly Target[]): readonly Action[] {
  const ranked = Array.from(actions, (action, index) => ({
    action,
    policy: Math.max(...targets.map(({ policy }) => policy[index]!)),
  }))
    .filter(({ policy }) => policy >= LEAST_POLICY)
    .sort((a, b) => b.policy - a.policy || a.action - b.action)
    .slice(0, MOST_JUDGED)
    .map(({ action }) => action);
  const played = targets.map(({ action }) => action);
  return [...new Set([...ranked, ...played])].slice(0, 2 * MOST_JUDGED);
}

/** Sums over positions of one search. */
class RegretSums {
  private readonly sums = {
    positions: 0,
    policy: 0,
    best: 0,
    move: 0,
    root: 0,
    rootSq: 0,
    value: 0,
    valueSq: 0,
  };

  add(actions: Int32Array, target: Target, { values, value }: Judgement): void {
    const { sums } = this;
    const greatest = Math.max(...values.values());
    let [mass, expected, best] = [0, 0, -1];
    for (const [index, action] of actions.entries()) {
      const ofAction = values.get(action);
      if (ofAction === undefined) continue;
      mass += target.policy[index]!;
      expected += target.policy[index]! * ofAction;
      if (best === -1 || target.policy[index]! > target.policy[best]!) best = index;
    }
    sums.positions += 1;
    if (mass > 0) sums.policy += greatest - expected / mass;
    sums.best += greatest - values.get(actions[best]!)!;
    sums.move += greatest - values.get(target.action)!;
    sums.root += target.rootValue - value;
    sums.rootSq += (target.rootValue - value) ** 2;
    sums.value += target.value - value;
    sums.valueSq += (target.value - value) ** 2;
  }

  regret(name: string): TargetRegret {
    const { positions, ...sums } = this.sums;
    return {
      name,
      positions,
      policyRegret: sums.policy / positions,
      bestRegret: sums.best / positions,
      moveRegret: sums.move / positions,
      rootBias: sums.root / positions,
      rootError: Math.sqrt(sums.rootSq / positions),
      valueBias: sums.value / positions,
      valueError: Math.sqrt(sums.valueSq / positions),
    };
  }
}

/** Tools and settings of `measureRegret`. */
export interface RegretTools {
  readonly evaluator: Evaluator;
  /** Overwritten. */
  readonly batch: EvaluationBatch;
  /** Of the independent search that judges a move. */
  readonly simulations: number;
  readonly seed: number;
  /** Called after each position with the number of those measured. */
  readonly onPosition?: (done: number) => void;
}

function targetOf<State>(search: Search<State>, length: number): Target {
  const policy = new Float32Array(length);
  search.writePolicy(policy);
  const action = search.chooseAction(policy, 0);
  return { policy, action, rootValue: search.rootValue, value: search.valueOfPolicy(policy) };
}

/**
 * Measures how good the targets of searches are: independent searches of the positions behind the moves judge them.
 *
 * @param states positions that are not over.
 */
export async function measureRegret<State>(
  game: Game<State>,
  states: readonly State[],
  measured: readonly MeasuredSearch[],
  tools: RegretTools,
): Promise<readonly TargetRegret[]> {
  const rng = createRng(tools.seed, 'regret');
  const judge = new Judge(game, tools, rng);
  const searches = measured.map(({ config, gumbelScale }) => new Search(game, { config, gumbelScale }, rng));
  const sums = measured.map(() => new RegretSums());
  for (const [done, state] of states.entries()) {
    for (const search of searches) search.begin(state);
    await runSearches(searches, tools.evaluator, tools.batch);
    const targets = searches.map((search) => targetOf(search, search.readRoot().count));
    const [first] = searches;
    const actions = first!.root.actions.slice(0, first!.root.count);
    const judgement = await judge.judge(state, actionsToJudge(actions, targets));
    for (const [index, target] of targets.entries()) sums[index]!.add(actions, target, judgement);
    tools.onPosition?.(done + 1);
  }
  return sums.map((sum, index) => sum.regret(measured[index]!.name));
}
