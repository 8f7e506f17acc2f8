import type { EvaluationBatch, Evaluator } from '../../agents/evaluators/evaluator.js';
import { runSearches } from '../../agents/mcts/driver.js';
import { Search } from '../../agents/mcts/search.js';
import { SearchConfig } from '../../agents/search-config.js';
import { type Action, type Game, outcomeTo } from '../../env/game.js';
import { createRng, type Rng } from '../../env/random.js';
import { noiselessMove } from '../play/noiseless-move.js';
import { QUANTILE_97_5 } from '../statistics/normal-distribution.js';

/** Greatest number of actions that are judged in a position: those with the highest policies. */
const MOST_JUDGED = 16;
/** Actions with a lower policy in all targets are not judged. */
const LEAST_POLICY = 0.01;
/** A position's value is judged with this many times the simulations of a move's. */
const VALUE_EFFORT = 6;

/** A kind of search whose targets are measured. */
export interface MeasuredSearch {
  readonly name: string;
  readonly config: SearchConfig;
  /** Scale of the noise of a Gumbel root. */
  readonly gumbelScale: number;
}

/** Distance of a search's targets from the best ones, as means over positions. Values are in [-1, 1]. */
export interface TargetRegret {
  readonly name: string;
  readonly positions: number;
  /** Loss of value by playing moves with the probabilities of the policy. */
  readonly policyRegret: number;
  /** Mean difference from the policy regret of the first search in the same positions, and half its 95 % interval. */
  readonly policyDifference: number;
  readonly policyDifferenceError: number;
  /** Loss of value by the policy's most probable move. */
  readonly bestRegret: number;
  /** Loss of value by the move that the search chose. */
  readonly moveRegret: number;
  /** Loss of value by the move that the search suggests without its noise (`noiselessMove`). */
  readonly noiselessRegret: number;
  /** Mean and root mean square of the differences between the root's mean value and that of a long search. */
  readonly rootBias: number;
  readonly rootError: number;
  /** The same for the value that learners use (`Search.valueToLearn`). */
  readonly valueBias: number;
  readonly valueError: number;
}

/** The answers of one search for one position. */
interface Target {
  readonly policy: Float32Array;
  readonly action: Action;
  readonly noiseless: Action;
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

/** Judges moves by independent searches of the positions after them. */
class Judge<State> {
  private readonly game: Game<State>;
  private readonly evaluator: Evaluator;
  private readonly batch: EvaluationBatch;
  private readonly searchOf: (simulations: number) => Search<State>;
  /** One search per action, created when needed. */
  private readonly searches: Search<State>[] = [];
  private readonly simulations: number;
  private readonly rootSearch: Search<State>;

  constructor(game: Game<State>, { evaluator, batch, simulations }: RegretTools, rng: Rng) {
    this.game = game;
    this.evaluator = evaluator;
    this.batch = batch;
    this.simulations = simulations;
    this.searchOf = (count) => new Search(game, { config: SearchConfig.parse({ simulations: count }) }, rng);
    this.rootSearch = this.searchOf(VALUE_EFFORT * simulations);
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
      const search = (searches[open.length] ??= this.searchOf(this.simulations));
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

/** The actions to judge: those that any of the targets plays or gives a high policy. */
function actionsToJudge(actions: Int32Array, targets: readonly Target[]): readonly Action[] {
  const ranked = Array.from(actions, (action, index) => ({
    action,
    policy: Math.max(...targets.map(({ policy }) => policy[index]!)),
  }))
    .filter(({ policy }) => policy >= LEAST_POLICY)
    .sort((a, b) => b.policy - a.policy || a.action - b.action)
    .slice(0, MOST_JUDGED)
    .map(({ action }) => action);
  const played = targets.flatMap(({ action, noiseless }) => [action, noiseless]);
  return [...new Set([...ranked, ...played])];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(mean(values.map((value) => value * value)));
}

/** The measures of one search, a value for each position. */
class RegretMeasures {
  readonly policy: number[] = [];
  private readonly best: number[] = [];
  private readonly move: number[] = [];
  private readonly noiseless: number[] = [];
  private readonly root: number[] = [];
  private readonly value: number[] = [];

  add(actions: Int32Array, target: Target, { values, value }: Judgement): void {
    const greatest = Math.max(...values.values());
    const regretOf = (action: Action): number => greatest - values.get(action)!;
    let [mass, expected, best] = [0, 0, -1];
    for (const [index, action] of actions.entries()) {
      const ofAction = values.get(action);
      if (ofAction === undefined) continue;
      mass += target.policy[index]!;
      expected += target.policy[index]! * ofAction;
      if (best === -1 || target.policy[index]! > target.policy[best]!) best = index;
    }
    this.policy.push(greatest - expected / mass);
    this.best.push(regretOf(actions[best]!));
    this.move.push(regretOf(target.action));
    this.noiseless.push(regretOf(target.noiseless));
    this.root.push(target.rootValue - value);
    this.value.push(target.value - value);
  }

  /** @param first the measures of the first search, in the same positions. */
  regret(name: string, first: RegretMeasures): TargetRegret {
    const positions = this.policy.length;
    const differences = this.policy.map((regret, index) => regret - first.policy[index]!);
    const difference = mean(differences);
    const deviation = rootMeanSquare(differences.map((each) => each - difference));
    return {
      name,
      positions,
      policyRegret: mean(this.policy),
      policyDifference: difference,
      policyDifferenceError: (QUANTILE_97_5 * deviation) / Math.sqrt(positions),
      bestRegret: mean(this.best),
      moveRegret: mean(this.move),
      noiselessRegret: mean(this.noiseless),
      rootBias: mean(this.root),
      rootError: rootMeanSquare(this.root),
      valueBias: mean(this.value),
      valueError: rootMeanSquare(this.value),
    };
  }
}

/** Tools and settings of `measureRegret`. */
export interface RegretTools {
  readonly evaluator: Evaluator;
  /** Overwritten. */
  readonly batch: EvaluationBatch;
  /** Simulations of the independent search that judges a move. */
  readonly simulations: number;
  readonly seed: number;
  /** Called after each position with the number measured so far. */
  readonly onPosition?: (done: number) => void;
  /** Once aborted, no further position is measured; the figures are those of the positions before. */
  readonly signal?: AbortSignal;
}

function targetOf<State>(search: Search<State>, length: number): Target {
  const policy = new Float32Array(length);
  search.writePolicy(policy);
  return {
    policy,
    action: search.chooseAction(policy, 0),
    noiseless: noiselessMove(search.root, policy),
    rootValue: search.rootValue,
    value: search.valueToLearn(policy),
  };
}

/**
 * Measures the quality of searches' targets, judged by independent searches of the positions after the moves.
 *
 * @param states positions in which the game is not over.
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
  const measures = measured.map(() => new RegretMeasures());
  for (const [done, state] of states.entries()) {
    if (tools.signal?.aborted === true) break;
    for (const search of searches) search.begin(state);
    await runSearches(searches, tools.evaluator, tools.batch);
    const targets = searches.map((search) => targetOf(search, search.readRoot().count));
    const [first] = searches;
    const actions = first!.root.actions.slice(0, first!.root.count);
    const judgement = await judge.judge(state, actionsToJudge(actions, targets));
    for (const [index, target] of targets.entries()) measures[index]!.add(actions, target, judgement);
    tools.onPosition?.(done + 1);
  }
  return measures.map((each, index) => each.regret(measured[index]!.name, measures[0]!));
}
