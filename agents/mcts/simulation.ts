import { type Action, type Game, NO_ACTION, outcomeTo } from '../../env/game.js';
import type { EvaluationBatch } from '../evaluators/evaluator.js';
import { backUp, prove } from './backup.js';
import { findWin, proveAnswered } from './decisive-moves.js';
import type { EdgeSelection } from './edge-selection.js';
import type { PendingLeaves } from './pending-leaves.js';
import { proofOf, PROVEN_LOSS, UNPROVEN } from './proof.js';
import { NO_NODE, PENDING, ROOT, ROOT_EDGE, type SearchTree } from './search-tree.js';
import type { SimulationBudget } from './simulation-budget.js';

/** The end of a simulation: a position to evaluate, a known result, or a pending position. */
export type SimulationEnd = typeof WAITING | typeof FINISHED | typeof BLOCKED;
export const WAITING = 0;
export const FINISHED = 1;
export const BLOCKED = 2;

/** The parts of a search that its simulations work on. */
export interface SimulationParts {
  readonly tree: SearchTree;
  readonly selection: EdgeSelection;
  readonly budget: SimulationBudget;
  readonly pending: PendingLeaves;
  /** Whether positions in which the player to move wins at once are proven wins, without an evaluation. */
  readonly decisiveMoves: boolean;
}

/** Simulations of one search: descents from the root to a leaf. All calls leave the state unchanged. */
export class Simulation<State> {
  private readonly game: Game<State>;
  private readonly tree: SearchTree;
  private readonly selection: EdgeSelection;
  private readonly budget: SimulationBudget;
  private readonly pending: PendingLeaves;
  private readonly decisiveMoves: boolean;

  constructor(game: Game<State>, parts: SimulationParts) {
    this.game = game;
    this.tree = parts.tree;
    this.selection = parts.selection;
    this.budget = parts.budget;
    this.pending = parts.pending;
    this.decisiveMoves = parts.decisiveMoves;
  }

  /** Adds the root, which has no node yet, to `batch`. */
  startRoot(state: State, batch: EvaluationBatch): void {
    this.tree.virtualLosses[ROOT_EDGE]! += 1;
    batch.list(this.game, state);
    this.addLeaf(state, batch, NO_NODE, ROOT_EDGE);
  }

  /**
   * One simulation: a descent from the root to a leaf, which is added to `batch`, or to a known result. A descent that
   * proves a move lost where others are left takes it back and selects again: no player would make this move, so it has
   * no part in the mean values above it. Each proof is of another edge, so this ends.
   */
  run(state: State, batch: EvaluationBatch): SimulationEnd {
    const { tree } = this;
    let node = ROOT;
    let owner = NO_NODE;
    let edge = ROOT_EDGE;
    let rootEdge = ROOT_EDGE;
    let end: SimulationEnd = BLOCKED;
    tree.virtualLosses[ROOT_EDGE]! += 1;
    while (tree.status[node] !== PENDING) {
      owner = node;
      edge = this.selection.enter(tree, owner, this.budget.started);
      if (owner === ROOT) rootEdge = edge;
      this.game.apply(state, tree.actions[edge]!);
      if (tree.proofs[edge] === UNPROVEN) {
        node = tree.children[edge]!;
        if (node !== NO_NODE) continue;
        // In a full tree a leaf has no node that could be pending.
        if (tree.virtualLosses[edge] === 1) end = this.reachLeaf(state, batch, owner, edge);
      } else end = FINISHED;
      const open = end === FINISHED ? nodeOfLostMove(tree, owner, edge) : NO_NODE;
      if (open === NO_NODE) break;
      this.takeBack(state, owner, edge, tree.parentNode[open]!);
      if (open === ROOT) this.selection.leave(tree, rootEdge);
      node = open;
      end = BLOCKED;
    }
    if (end === BLOCKED) {
      this.takeBack(state, owner, edge, NO_NODE);
      tree.virtualLosses[ROOT_EDGE]! -= 1;
      this.selection.leave(tree, rootEdge);
      return end;
    }
    for (let above = owner; above !== NO_NODE; above = tree.parentNode[above]!) this.game.undo(state);
    if (end === FINISHED) backUp(tree, owner, edge, 0);
    return end;
  }

  /**
   * Undoes the last moves of a descent, those made at `owner`, by `edge`, and at the nodes above it below `top`, and
   * removes their virtual losses. `NO_NODE` as `top` undoes all.
   */
  private takeBack(state: State, owner: number, edge: number, top: number): void {
    const { parentEdge, parentNode, virtualLosses } = this.tree;
    let current = edge;
    for (let node = owner; node !== top; node = parentNode[node]!) {
      virtualLosses[current]! -= 1;
      this.game.undo(state);
      current = parentEdge[node]!;
    }
  }

  /** Handles a position without a node: over, truncated (value 0, not proven), or to be evaluated. */
  private reachLeaf(state: State, batch: EvaluationBatch, owner: number, edge: number): SimulationEnd {
    const { game } = this;
    const outcome = game.outcome(state);
    if (outcome !== null) {
      // Happens once per edge, which is proven afterwards, so undoing the move to find its player is cheap.
      game.undo(state);
      const toMover = outcomeTo(game.currentPlayer(state), outcome);
      game.apply(state, this.tree.actions[edge]!);
      prove(this.tree, owner, edge, proofOf(toMover));
      return FINISHED;
    }
    if (game.ply(state) >= game.plyLimit) {
      // Proves nothing, so the search may come here any number of times.
      this.budget.spendNode();
      return FINISHED;
    }
    batch.list(game, state);
    const answer = this.decisiveMoves ? findWin(game, state, batch) : NO_ACTION;
    if (answer !== NO_ACTION) {
      this.proveLost(state, owner, edge, answer);
      return FINISHED;
    }
    this.addLeaf(state, batch, owner, edge);
    return WAITING;
  }

  /** Proves that `edge`, which has led to `state`, loses to `answer`, and so do other edges of its node. */
  private proveLost(state: State, owner: number, edge: number, answer: Action): void {
    const { game, tree } = this;
    prove(tree, owner, edge, PROVEN_LOSS);
    game.undo(state);
    proveAnswered(tree, owner, { game, state, answer });
    game.apply(state, tree.actions[edge]!);
    // A Gumbel root identifies edges by their places.
    if (this.selection.gumbelRoot === null || owner !== ROOT) tree.bringForward(owner);
  }

  /** Adds a position whose legal actions `batch` lists. */
  private addLeaf(state: State, batch: EvaluationBatch, owner: number, edge: number): void {
    const { tree } = this;
    const count = batch.legalCount;
    batch.addListed(this.game, state);
    this.budget.spendNode();
    let node = NO_NODE;
    if (tree.hasRoom(count)) node = tree.addNode(owner, edge, batch.legalActions, count);
    // Ends the search: only visits to the same positions would add up, most to those that are overrated.
    else this.budget.nodeLimit = 0;
    this.pending.add(owner, edge, node);
  }
}

/**
 * The node at which a descent to `edge` of `node`, which is proven, made a move that is proven lost while its player has
 * others: the highest node whose own result is open. `NO_NODE` if its move is not lost, or if the root is proven.
 */
function nodeOfLostMove(tree: SearchTree, node: number, edge: number): number {
  const { proofs, parentEdge, parentNode } = tree;
  let owner = node;
  let current = edge;
  while (owner !== ROOT && proofs[parentEdge[owner]!] !== UNPROVEN) {
    current = parentEdge[owner]!;
    owner = parentNode[owner]!;
  }
  const isOpen = proofs[parentEdge[owner]!] === UNPROVEN;
  return isOpen && proofs[current] === PROVEN_LOSS ? owner : NO_NODE;
}
