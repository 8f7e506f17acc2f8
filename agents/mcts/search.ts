import type { Action, Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import type { EvaluationBatch } from '../evaluators/evaluator.js';
import type { SearchConfig } from '../search-config.js';
import { RootStatistics } from './root-statistics.js';
import { abandon, backUp, prove } from './backup.js';
import { findWin, NO_WIN, proveAnswered } from './decisive-moves.js';
import { drawDirichlet } from './dirichlet.js';
import { bestEdge, edgeOfAction, NO_EDGE } from './best-edge.js';
import { GumbelRoot } from './gumbel-root.js';
import { SearchBudget, type SearchEffort } from './mcts-budget.js';
import { ImprovedSelection } from './improved-selection.js';
import { selectAction, visitPolicy } from './root-policy.js';
import {
  NO_NODE,
  PENDING,
  PROVEN_DRAW,
  PROVEN_LOSS,
  ROOT,
  ROOT_EDGE,
  UNPROVEN,
  type Proof,
  SearchTree,
} from './search-tree.js';
import { enterEdge, selectEdge } from './selection.js';

/** Trees hold this many times the nodes of one search, for what is kept from move to move. */
const REUSE_FACTOR = 4;
/** Trees have room for this many edges a node: more than the longer positions of Gess have on average. */
const EDGES_PER_NODE = 512;
/** Trees have no more edges than this by default; an edge takes 29 bytes. */
const MAX_EDGES = 8_000_000;
/** No tree has more nodes than this; a node takes 57 bytes. */
const MAX_NODES = 1 << 20;
/** All simulations, with noise if there is any. */
const FULL_EFFORT: SearchEffort = {};

/** How a simulation ended: at a position to evaluate, with a known result, or at one that is pending. */
type SimulationEnd = typeof WAITING | typeof FINISHED | typeof BLOCKED;
const WAITING = 0;
const FINISHED = 1;
const BLOCKED = 2;

/** Dirichlet noise on the root's priors, for self-play. */
export interface RootNoise {
  /** Alpha is this over the number of legal actions. */
  readonly dirichletScale: number;
  /** Weight of the noise in [0, 1]; the rest is the prior. */
  readonly fraction: number;
}

/** How one `Search` goes about it. */
export interface SearchOptions {
  readonly config: SearchConfig;
  /** For `root` `puct`; never used with `gumbel`, which has noise of its own. None by default. */
  readonly noise?: RootNoise;
  /** Factor of the Gumbel noise, for `root` `gumbel`: 1 in self-play, 0, the default, to play at full strength. */
  readonly gumbelScale?: number;
  /** Greatest number of leaves that wait for evaluation at once, 1 by default. More are faster, and weaker. */
  readonly leaves?: number;
  /**
   * Bounds the tree's memory, 29 bytes an edge; 8 million by default. A full tree makes no new nodes, and goes on
   * learning about those that it has.
   */
  readonly maxEdges?: number;
}

function createGumbel(
  { config, gumbelScale = 0 }: SearchOptions,
  maxActions: number,
): Search<never>['gumbel'] {
  if (config.root !== 'gumbel') return null;
  return {
    root: new GumbelRoot(config, maxActions, gumbelScale),
    below: new ImprovedSelection(config, maxActions),
  };
}

/**
 * Monte Carlo tree search of one game, that asks for evaluations and is handed them:
 * `begin`, then `advance` and `receive` in turn until `isDone`.
 *
 * Each search spends `simulations` simulations (fewer when the result is proven), all of them visits of the
 * root's edges; the evaluation of a new root is not one of them. Moves of the root that end the game are proven
 * before the first simulation, so a win in one is always found. Its course depends on the evaluations, the
 * random stream and its options only, never on what else is in a batch. Allocates nothing after construction.
 */
export class Search<State> {
  readonly tree: SearchTree;
  /** Statistics of the root, as of the last call of `readRoot`. */
  readonly root: RootStatistics;
  private readonly game: Game<State>;
  private readonly config: SearchConfig;
  private readonly noise: RootNoise | undefined;
  /** Null for selection by PUCT. */
  private readonly gumbel: { readonly root: GumbelRoot; readonly below: ImprovedSelection } | null;
  private readonly rng: Rng;
  readonly leaves: number;
  /** `[leaves]` ring buffers: owner and edge of each leaf that waits, and its node or `NO_NODE`. */
  private readonly pendingNode: Int32Array;
  private readonly pendingEdge: Int32Array;
  private readonly pendingChild: Int32Array;
  private pendingFirst = 0;
  private pendingCount = 0;
  private readonly noiseDraw: Float64Array;
  private hasNoise = false;

  private state: State | null = null;
  private readonly budget = new SearchBudget();
  private explores = true;
  /** What `follow` knows the last root by. */
  private rootHash = 0;
  private readonly rootHistory: Action[] = [];

  constructor(game: Game<State>, options: SearchOptions, rng: Rng) {
    this.game = game;
    this.config = options.config;
    this.noise = options.config.root === 'puct' ? options.noise : undefined;
    this.gumbel = createGumbel(options, game.maxLegalActions);
    this.rng = rng;
    this.leaves = options.leaves ?? 1;
    const maxNodes = Math.min(1 + REUSE_FACTOR * this.config.simulations, MAX_NODES);
    const usualEdges = maxNodes * Math.min(game.maxLegalActions, EDGES_PER_NODE);
    const maxEdges = Math.min(usualEdges, options.maxEdges ?? MAX_EDGES);
    this.tree = new SearchTree(maxNodes, 1 + Math.max(maxEdges, game.maxLegalActions));
    this.root = new RootStatistics(game.maxLegalActions);
    this.noiseDraw = new Float64Array(game.maxLegalActions);
    this.pendingNode = new Int32Array(this.leaves);
    this.pendingEdge = new Int32Array(this.leaves);
    this.pendingChild = new Int32Array(this.leaves);
  }

  /**
   * Starts searching `state`, which is not over. It is kept, and as it was after every call. Keeps what was
   * found out below it where it follows from the last root.
   *
   * @param effort what this search may spend; all of the configuration's simulations by default.
   */
  begin(state: State, effort: SearchEffort = FULL_EFFORT): void {
    if (!this.follow(state)) {
      this.tree.clear();
      this.hasNoise = false;
    }
    this.pendingFirst = 0;
    this.pendingCount = 0;
    this.budget.begin(effort, this.config.simulations);
    this.explores = effort.explores ?? true;
    this.state = state;
    this.rootHash = this.game.observationHash(state);
    this.rootHistory.length = 0;
    for (let i = 0; i < this.game.historyLength(state); i++) {
      this.rootHistory.push(this.game.historyAction(state, i));
    }
    if (this.tree.nodeCount > 0) this.prepareRoot(state);
  }

  /** Whether nothing is left to spend, or the result is proven, or nothing was begun. */
  get isDone(): boolean {
    if (this.state === null) return true;
    if (this.tree.nodeCount === 0 || this.pendingCount > 0) return false;
    return this.tree.proofs[ROOT_EDGE] !== UNPROVEN || this.budget.isSpent;
  }

  /** Simulations that this search may have. */
  get simulationLimit(): number {
    return this.budget.simulations;
  }

  /** Simulations finished since `begin`. */
  get simulations(): number {
    // The evaluation of a new root waits too, but is no simulation.
    return Math.max(0, this.budget.started - this.pendingCount);
  }

  /** The root's value in [-1, 1] to the player to move: mean of its own evaluation and all simulations'. */
  get rootValue(): number {
    const { proofs, totalValue, visits } = this.tree;
    if (proofs[ROOT_EDGE] !== UNPROVEN) return PROVEN_DRAW - proofs[ROOT_EDGE]!;
    // Not negated: that would make -0 of 0.
    return 0 - totalValue[ROOT_EDGE]! / Math.max(1, visits[ROOT_EDGE]!);
  }

  /** Visits of all of the root's edges, those of earlier searches that were kept included. */
  get rootVisits(): number {
    const { tree } = this;
    if (tree.nodeCount === 0) return 0;
    let sum = 0;
    // Not from the root's own visits: it may have been evaluated more than once, while the tree was full.
    const start = tree.edgeStart[ROOT]!;
    for (let edge = start; edge < start + tree.triedCount[ROOT]!; edge++) sum += tree.visits[edge]!;
    return sum;
  }

  /**
   * Runs simulations until one needs an evaluation, and adds that position to `batch`, which has room.
   *
   * @returns false when nothing was added: no simulation is left to start, or only `receive` can bring the
   *   search on.
   */
  advance(batch: EvaluationBatch): boolean {
    const { tree, state } = this;
    if (state === null || this.pendingCount === this.leaves) return false;
    if (tree.nodeCount === 0) {
      tree.virtualLosses[ROOT_EDGE]! += 1;
      batch.list(this.game, state);
      this.addLeaf(state, batch, NO_NODE, ROOT_EDGE);
      return true;
    }
    while (tree.proofs[ROOT_EDGE] === UNPROVEN && !this.budget.isSpent) {
      const end = this.simulate(state, batch);
      if (end === BLOCKED) return false;
      this.budget.started += 1;
      if (end === WAITING) return true;
    }
    return false;
  }

  /** Takes the evaluation of position `index` of `batch`: in the order in which `advance` added them. */
  receive(batch: EvaluationBatch, index: number): void {
    const slot = this.pendingFirst;
    this.pendingFirst = (slot + 1) % this.leaves;
    this.pendingCount -= 1;
    const child = this.pendingChild[slot]!;
    const value = batch.outcomes[3 * index]! - batch.outcomes[3 * index + 2]!;
    if (child !== NO_NODE) {
      this.tree.expand(child, batch.priors, batch.start[index]!, value);
      if (child === ROOT) this.prepareRoot(this.state!);
    }
    // The value is to the leaf's mover, an edge's to the player before.
    backUp(this.tree, this.pendingNode[slot]!, this.pendingEdge[slot]!, -value);
  }

  /** Brings `root` up to date. The root must have been evaluated. */
  readRoot(): RootStatistics {
    this.root.read(this.tree);
    return this.root;
  }

  /**
   * Writes what the search makes of the root, a distribution over `root.actions` as `readRoot` left them: with PUCT
   * the shares of the visits, with Gumbel the improved policy, free of noise.
   *
   * @param out `[L]`; sums to 1 over the root's actions.
   */
  writePolicy(out: Float32Array): void {
    if (this.gumbel === null) visitPolicy(this.root, out);
    else this.gumbel.root.writePolicy(this.tree, this.root, out);
  }

  /**
   * The action to play. With PUCT drawn from `policy` with this temperature; with Gumbel, where the noise has made the
   * choice a random one, the best of the most visited, whatever the temperature.
   *
   * @param policy what `writePolicy` wrote.
   * @param valueMargin with PUCT, moves that are worth more than this less than the most probable one, in [-1, 1], are not
   *   drawn; all may be by default.
   */
  chooseAction(policy: Float32Array, temperature: number, valueMargin?: number): Action {
    if (this.gumbel === null) return selectAction(this.root, policy, { temperature, valueMargin }, this.rng);
    return this.tree.actions[this.gumbel.root.bestEdge(this.tree)]!;
  }

  /**
   * The line that the search expects, at most `limit` actions: for people, not for hot paths.
   *
   * @param first its first action, a legal one; the best by default.
   */
  principalVariation(first?: Action, limit = 16): Action[] {
    const { tree } = this;
    const line: Action[] = [];
    let node = tree.nodeCount > 0 ? ROOT : NO_NODE;
    while (node !== NO_NODE && line.length < limit) {
      const edge: number = node === ROOT ? this.firstEdge(first) : bestEdge(tree, node);
      if (edge === NO_EDGE) break;
      line.push(tree.actions[edge]!);
      node = tree.children[edge]!;
    }
    return line;
  }

  private firstEdge(first: Action | undefined): number {
    if (first !== undefined) return edgeOfAction(this.tree, ROOT, first);
    return this.gumbel === null ? bestEdge(this.tree, ROOT) : this.gumbel.root.bestEdge(this.tree);
  }

  /** Picks the next edge of `node` and puts a virtual loss on it. */
  private enterNext(node: number): number {
    const { tree, gumbel, config } = this;
    if (config.root === 'puct') {
      const edge = selectEdge(tree, node, config);
      enterEdge(tree, node, edge);
      return edge;
    }
    if (node === ROOT) return gumbel!.root.enter(tree, gumbel!.root.selectEdge(tree, this.budget.started));
    const edge = gumbel!.below.selectEdge(tree, node);
    enterEdge(tree, node, edge);
    return edge;
  }

  /** One descent from the root to a leaf or a known result. */
  private simulate(state: State, batch: EvaluationBatch): SimulationEnd {
    const { tree, game } = this;
    let node = ROOT;
    let owner = NO_NODE;
    let edge = ROOT_EDGE;
    let rootEdge = ROOT_EDGE;
    let depth = 0;
    let end: SimulationEnd = BLOCKED;
    tree.virtualLosses[ROOT_EDGE]! += 1;
    while (tree.status[node] !== PENDING) {
      owner = node;
      edge = this.enterNext(node);
      if (node === ROOT) rootEdge = edge;
      if (tree.proofs[edge] !== UNPROVEN) {
        end = FINISHED;
        break;
      }
      game.apply(state, tree.actions[edge]!);
      depth += 1;
      node = tree.children[edge]!;
      if (node !== NO_NODE) continue;
      // In a full tree a leaf has no node that could be pending.
      if (tree.virtualLosses[edge] === 1) end = this.reachLeaf(state, batch, owner, edge);
      break;
    }
    while (depth-- > 0) game.undo(state);
    if (end === BLOCKED) {
      abandon(tree, owner, edge);
      this.gumbel?.root.leave(tree, rootEdge);
    } else if (end === FINISHED) backUp(tree, owner, edge, 0);
    return end;
  }

  /** Judges a position without a node: over, truncated (value 0, not proven), or to be evaluated. */
  private reachLeaf(state: State, batch: EvaluationBatch, owner: number, edge: number): SimulationEnd {
    const { game } = this;
    const outcome = game.outcome(state);
    if (outcome !== null) {
      // Once an edge only: from now on it is proven. So the detour to learn whose move it was costs nothing.
      game.undo(state);
      const toMover = game.currentPlayer(state) === 0 ? outcome : -outcome;
      game.apply(state, this.tree.actions[edge]!);
      prove(this.tree, owner, edge, (PROVEN_DRAW + toMover) as Proof);
      return FINISHED;
    }
    if (game.ply(state) >= game.plyLimit) return FINISHED;
    batch.list(game, state);
    const answer = this.config.decisiveMoves ? findWin(game, state, batch) : NO_WIN;
    if (answer !== NO_WIN) {
      this.proveLost(state, owner, edge, answer);
      return FINISHED;
    }
    this.addLeaf(state, batch, owner, edge);
    return WAITING;
  }

  /** Proves `edge`, which has led to `state`, to lose to `answer`, and what else of its node does. */
  private proveLost(state: State, owner: number, edge: number, answer: Action): void {
    const { game, tree } = this;
    prove(tree, owner, edge, PROVEN_LOSS);
    game.undo(state);
    proveAnswered(tree, owner, { game, state, answer });
    game.apply(state, tree.actions[edge]!);
    // A Gumbel root knows its edges by their places.
    if (this.gumbel === null || owner !== ROOT) tree.bringForward(owner);
  }

  /** Adds a position whose legal actions `batch` has listed just now. */
  private addLeaf(state: State, batch: EvaluationBatch, owner: number, edge: number): void {
    const count = batch.legalCount;
    batch.addListed(this.game, state);
    this.budget.spendNode();
    const slot = (this.pendingFirst + this.pendingCount) % this.leaves;
    this.pendingCount += 1;
    this.pendingNode[slot] = owner;
    this.pendingEdge[slot] = edge;
    this.pendingChild[slot] = this.tree.hasRoom(count)
      ? this.tree.addNode(owner, edge, batch.legalActions, count)
      : NO_NODE;
  }

  /** Makes the node of `state` the root, if it follows from the last root and the tree has a node for it. */
  private follow(state: State): boolean {
    const { game, tree, rootHistory } = this;
    const steps = game.historyLength(state) - rootHistory.length;
    if (tree.nodeCount === 0 || this.pendingCount > 0 || steps < 0) return false;
    const isPrefix = rootHistory.every((action, index) => action === game.historyAction(state, index));
    if (!isPrefix) return false;
    const path = Array.from({ length: steps }, (_, step) =>
      game.historyAction(state, rootHistory.length + step),
    );
    // Equal histories may start at different positions.
    // On a copy: undo gives back time that was spent, and playing the moves again would not take it.
    const earlier = game.clone(state);
    for (let step = 0; step < steps; step++) game.undo(earlier);
    if (game.observationHash(earlier) !== this.rootHash) return false;
    let node = ROOT;
    for (const action of path) {
      const edge = edgeOfAction(tree, node, action);
      node = edge === NO_EDGE ? NO_NODE : tree.children[edge]!;
      if (node === NO_NODE) return false;
    }
    if (node !== ROOT) {
      tree.keepSubtree(node);
      this.hasNoise = false;
    }
    return true;
  }

  /** Makes an expanded root ready for its simulations. */
  private prepareRoot(state: State): void {
    this.proveMoves(state);
    this.addNoise();
    this.tree.bringForward(ROOT);
    if (this.gumbel === null) return;
    this.gumbel.root.begin(
      this.tree,
      this.readRoot(),
      this.budget.simulations,
      this.explores ? this.rng : null,
    );
  }

  /** Finds all moves of the root that end the game: this costs less than a single evaluation by a network. */
  private proveMoves(state: State): void {
    const { tree, game } = this;
    const sign = game.currentPlayer(state) === 0 ? 1 : -1;
    const start = tree.edgeStart[ROOT]!;
    for (let edge = start; edge < start + tree.edgeCount[ROOT]!; edge++) {
      if (tree.proofs[edge] !== UNPROVEN || tree.children[edge] !== NO_NODE) continue;
      game.apply(state, tree.actions[edge]!);
      const outcome = game.outcome(state);
      game.undo(state);
      if (outcome !== null) prove(tree, ROOT, edge, (PROVEN_DRAW + sign * outcome) as Proof);
    }
  }

  /** Mixes noise into the priors of a root that has none yet. */
  private addNoise(): void {
    const { noise, tree } = this;
    if (noise === undefined || this.hasNoise || !this.explores) return;
    this.hasNoise = true;
    const start = tree.edgeStart[ROOT]!;
    const count = tree.edgeCount[ROOT]!;
    drawDirichlet(noise.dirichletScale / count, count, this.noiseDraw, this.rng);
    tree.triedPrior[ROOT] = 0;
    for (let i = 0; i < count; i++) {
      const edge = start + i;
      tree.priors[edge] = (1 - noise.fraction) * tree.priors[edge]! + noise.fraction * this.noiseDraw[i]!;
      if (i < tree.triedCount[ROOT]!) tree.triedPrior[ROOT] += tree.priors[edge];
    }
    tree.bringForward(ROOT);
  }
}
