import type { Action, Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import type { EvaluationBatch } from '../evaluators/evaluator.js';
import type { SearchConfig } from '../search-config.js';
import { backUp } from './backup.js';
import { bestEdge, edgeOfAction, NO_EDGE } from './best-edge.js';
import { proveEndings } from './decisive-moves.js';
import { EdgeSelection } from './edge-selection.js';
import { LastRoot } from './last-root.js';
import { PendingLeaves } from './pending-leaves.js';
import { principalVariation } from './principal-variation.js';
import { addRootNoise, type RootNoise } from './root-noise.js';
import { selectAction, visitPolicy } from './root-policy.js';
import { RootStatistics } from './root-statistics.js';
import { UNPROVEN, valueOfProof } from './proof.js';
import { createTree, NO_NODE, ROOT, ROOT_EDGE, type SearchTree } from './search-tree.js';
import { BLOCKED, Simulation, WAITING } from './simulation.js';
import { type SearchEffort, SimulationBudget } from './simulation-budget.js';

/** Greatest number of actions of an expected line. */
const LINE_LENGTH = 16;

/** All simulations, with noise if configured. */
const FULL_EFFORT: SearchEffort = {};

/** Settings of one `Search`. */
export interface SearchOptions {
  readonly config: SearchConfig;
  /** For `root` `puct` only: `gumbel` has noise of its own. None by default. */
  readonly noise?: RootNoise;
  /** Factor of the Gumbel noise, for `root` `gumbel`: 1 in self-play, 0, the default, to play at full strength. */
  readonly gumbelScale?: number;
  /**
   * Greatest number of leaves that wait for evaluation at the same time, 1 by default. More leaves make a search faster
   * and weaker.
   */
  readonly leaves?: number;
  /**
   * Bounds the tree's memory, 29 bytes an edge; 8 million by default. A full tree adds no nodes, but the search
   * continues on its existing nodes.
   */
  readonly maxEdges?: number | undefined;
}

/**
 * Monte Carlo tree search of one game, whose caller evaluates the leaves: `begin`, then `advance` and `receive` in turn
 * until `isDone`.
 *
 * Each search spends `simulations` simulations (fewer when the result is proven), all of them visits of the root's
 * edges; the evaluation of a new root is not one of them. Moves of the root that end the game are proven before the
 * first simulation, so a win in one is always found. Its course depends only on the evaluations, the random stream and
 * its options, never on the rest of a batch. The tree is allocated once.
 */
export class Search<State> {
  readonly tree: SearchTree;
  /** Statistics of the root, as of the last call of `readRoot`. */
  readonly root: RootStatistics;
  readonly leaves: number;
  private readonly game: Game<State>;
  private readonly config: SearchConfig;
  private readonly noise: RootNoise | undefined;
  private rng: Rng;
  private readonly selection: EdgeSelection;
  private readonly simulation: Simulation<State>;
  private readonly budget = new SimulationBudget();
  private readonly pending: PendingLeaves;
  private readonly lastRoot: LastRoot<State>;
  /** `[L]` scratch of the noise. */
  private readonly noiseDraw: Float64Array;
  private hasNoise = false;
  private explores = true;
  private state: State | null = null;

  constructor(game: Game<State>, options: SearchOptions, rng: Rng) {
    const { config, gumbelScale = 0, leaves = 1 } = options;
    this.game = game;
    this.config = config;
    this.noise = config.root === 'puct' ? options.noise : undefined;
    this.rng = rng;
    this.leaves = leaves;
    this.tree = createTree(game.maxLegalActions, config.simulations, options.maxEdges);
    this.root = new RootStatistics(game.maxLegalActions);
    this.noiseDraw = new Float64Array(game.maxLegalActions);
    this.lastRoot = new LastRoot(game);
    this.pending = new PendingLeaves(leaves);
    this.selection = new EdgeSelection(config, game.maxLegalActions, gumbelScale);
    this.simulation = new Simulation(game, {
      tree: this.tree,
      selection: this.selection,
      budget: this.budget,
      pending: this.pending,
      decisiveMoves: config.decisiveMoves,
    });
  }

  /**
   * Starts searching `state`, which is not over. The search keeps a reference to it, and leaves it unchanged after
   * every call. If it follows from the last root, its subtree is kept.
   *
   * @param effort limits of this search; all of the configuration's simulations by default.
   */
  begin(state: State, effort: SearchEffort = FULL_EFFORT): void {
    this.budget.begin(effort, this.config.simulations);
    if (!this.follow(state)) {
      this.tree.clear();
      this.hasNoise = false;
    }
    this.pending.clear();
    this.explores = effort.explores ?? true;
    this.state = state;
    this.lastRoot.note(state);
    if (this.tree.nodeCount > 0) this.prepareRoot(state);
  }

  /** Forgets the results of earlier searches; `rng` is the random stream of later ones. */
  forget(rng: Rng): void {
    this.tree.clear();
    this.pending.clear();
    this.state = null;
    this.rng = rng;
  }

  /** Whether the budget is spent, or the result is proven, or nothing was begun. */
  get isDone(): boolean {
    if (this.state === null) return true;
    if (this.tree.nodeCount === 0 || this.pending.count > 0) return false;
    return this.tree.proofs[ROOT_EDGE] !== UNPROVEN || this.budget.isSpent;
  }

  /** Greatest number of simulations of this search. */
  get simulationLimit(): number {
    return this.budget.simulations;
  }

  /** Simulations finished since `begin`. */
  get simulations(): number {
    // A new root waits for its evaluation too, but is not a simulation.
    return Math.max(0, this.budget.started - this.pending.count);
  }

  /**
   * The root's value in [-1, 1] to the player to move: the mean of its own evaluation and the values of all
   * simulations.
   */
  get rootValue(): number {
    const { proofs, totalValue, visits } = this.tree;
    if (proofs[ROOT_EDGE] !== UNPROVEN) return 0 - valueOfProof(proofs[ROOT_EDGE]!);
    // Not negated, which would turn 0 into -0.
    return 0 - totalValue[ROOT_EDGE]! / Math.max(1, visits[ROOT_EDGE]!);
  }

  /** Visits of all of the root's edges, including those kept from earlier searches. */
  get rootVisits(): number {
    const { tree } = this;
    if (tree.nodeCount === 0) return 0;
    let sum = 0;
    // Not the root's own visits: it may have been evaluated more than once while the tree was full.
    const start = tree.edgeStart[ROOT]!;
    for (let edge = start; edge < start + tree.triedCount[ROOT]!; edge++) sum += tree.visits[edge]!;
    return sum;
  }

  /**
   * Runs simulations until one needs an evaluation, and adds that position to `batch`, which has room.
   *
   * @returns false if nothing was added: no simulation remains, or the search waits for `receive`.
   */
  advance(batch: EvaluationBatch): boolean {
    const { tree, state } = this;
    if (state === null || this.pending.isFull) return false;
    if (tree.nodeCount === 0) {
      this.simulation.startRoot(state, batch);
      return true;
    }
    while (tree.proofs[ROOT_EDGE] === UNPROVEN && !this.budget.isSpent) {
      const end = this.simulation.run(state, batch);
      if (end === BLOCKED) return false;
      this.budget.started += 1;
      if (end === WAITING) return true;
    }
    return false;
  }

  /** Receives the evaluation of position `index` of `batch`, in the order in which `advance` added them. */
  receive(batch: EvaluationBatch, index: number): void {
    const { tree, pending } = this;
    pending.take();
    const { owner, edge, node } = pending;
    const value = batch.valueOf(index);
    if (node !== NO_NODE) {
      tree.expand(node, batch.priors, batch.start[index]!, value);
      if (node === ROOT) this.prepareRoot(this.state!);
    }
    // The value is to the leaf's mover; an edge's value is to the other player.
    backUp(tree, owner, edge, -value);
  }

  /** Updates `root` and returns it. The root must have been evaluated. */
  readRoot(): RootStatistics {
    this.root.read(this.tree);
    return this.root;
  }

  /**
   * Writes the policy of the search, a distribution over `root.actions` as of the last `readRoot`: with PUCT the shares
   * of the visits, with Gumbel the improved policy, without noise.
   *
   * @param out `[L]`; sums to 1 over the root's actions.
   */
  writePolicy(out: Float32Array): void {
    const { gumbelRoot } = this.selection;
    if (gumbelRoot === null) visitPolicy(this.root, out);
    else gumbelRoot.writePolicy(this.tree, this.root, out);
  }

  /**
   * The value in [-1, 1] to the player to move that learners take from the search. With PUCT it is the root's value.
   * With Gumbel it is the mean of the root's value and that of the policy: the former counts bad moves that noise has
   * chosen, the latter favours moves that chance has overrated.
   *
   * @param policy as written by `writePolicy`.
   */
  valueToLearn(policy: Float32Array): number {
    const { gumbelRoot } = this.selection;
    const isProven = this.tree.proofs[ROOT_EDGE] !== UNPROVEN;
    if (gumbelRoot === null || isProven) return this.rootValue;
    return (this.rootValue + gumbelRoot.valueOfPolicy(this.tree, this.root, policy)) / 2;
  }

  /**
   * The action to play. With PUCT, drawn from `policy` with this temperature; with Gumbel, whose noise has randomised
   * the search, the best of the most visited at any temperature.
   *
   * @param policy as written by `writePolicy`.
   */
  chooseAction(policy: Float32Array, temperature: number): Action {
    const { gumbelRoot } = this.selection;
    if (gumbelRoot === null) return selectAction(this.root, policy, temperature, this.rng);
    return this.tree.actions[gumbelRoot.bestEdge(this.tree)]!;
  }

  /**
   * The line that the search expects, at most 16 actions. For display, not for hot paths.
   *
   * @param first its first action, a legal one; the best by default.
   */
  principalVariation(first?: Action): Action[] {
    return principalVariation(this.tree, this.firstEdge(first), LINE_LENGTH);
  }

  private firstEdge(first: Action | undefined): number {
    const { tree } = this;
    const { gumbelRoot } = this.selection;
    if (tree.nodeCount === 0) return NO_EDGE;
    if (first !== undefined) return edgeOfAction(tree, ROOT, first);
    return gumbelRoot === null ? bestEdge(tree, ROOT) : gumbelRoot.bestEdge(tree);
  }

  /** Makes the node of `state` the root, if it follows from the last root and the tree has a node for it. */
  private follow(state: State): boolean {
    if (this.tree.nodeCount === 0 || this.pending.count > 0) return false;
    const node = this.lastRoot.nodeOf(state, this.tree);
    if (node === NO_NODE) return false;
    if (node !== ROOT) {
      this.tree.keepSubtree(node, this.budget.simulations);
      this.hasNoise = false;
    }
    return true;
  }

  /** Prepares an expanded root for its simulations. */
  private prepareRoot(state: State): void {
    const { tree, selection, budget } = this;
    proveEndings(this.game, tree, state);
    this.addNoise();
    tree.bringForward(ROOT);
    selection.gumbelRoot?.begin(tree, this.readRoot(), budget.simulations, this.explores ? this.rng : null);
  }

  /** Mixes noise into the priors of a root that has none. */
  private addNoise(): void {
    if (this.noise === undefined || this.hasNoise || !this.explores) return;
    this.hasNoise = true;
    addRootNoise(this.tree, this.noise, this.noiseDraw, this.rng);
  }
}
