import { PROVEN_LOSS, UNPROVEN } from './proof.js';

/** Stands for a missing node. */
export const NO_NODE = -1;
/** The root's index. */
export const ROOT = 0;
/** The edge that leads to the root. Its statistics are those of the root, from the opponent's view. */
export const ROOT_EDGE = 0;

/** Status of a node that waits for its evaluation. */
export const PENDING = 0;
/** Status of a node that has priors. */
const EXPANDED = 1;

/** Nodes of a tree per simulation of a search, to leave room for subtrees kept from move to move. */
const REUSE_FACTOR = 4;
/** Edges of a tree per node: more than the longer positions of Gess have on average. */
const EDGES_PER_NODE = 512;
/** Least number of edges per node, as in Connect Four; bounds the nodes of a tree with few edges. */
const LEAST_EDGES_PER_NODE = 7;
/** Default limit of a tree's edges; an edge takes 29 bytes. */
const MAX_EDGES = 8_000_000;
/** Limit of a tree's nodes; a node takes 53 bytes. */
const MAX_NODES = 1 << 20;

/**
 * The statistics of one search, as a structure of arrays. `N` is `maxNodes`, `E` is `maxEdges`.
 *
 * Node `n`'s edges occupy `[edgeStart[n], edgeStart[n] + edgeCount[n])` of the edge arrays, one per legal action. Its
 * `triedCount[n]` edges that were ever selected come first; the edge after them has the greatest prior of the others
 * (proven losses aside), so that selection reads no more. A node has a higher index than its parent, and its edges lie
 * behind its parent's. Nothing is allocated after construction.
 */
export class SearchTree {
  readonly maxNodes: number;
  readonly maxEdges: number;
  nodeCount = 0;
  private edgeEnd = 0;

  /** `[N]` first edge of each node. */
  readonly edgeStart: Int32Array;
  /** `[N]` number of legal actions. */
  readonly edgeCount: Int32Array;
  /** `[N]` number of edges that were ever selected; they are the node's first. */
  readonly triedCount: Int32Array;
  /** `[N]` number of edges that are not proven. */
  readonly unprovenCount: Int32Array;
  /** `[N]` sum of the priors of the edges that were ever selected. */
  readonly triedPrior: Float64Array;
  /** `[N]` sum of the priors of the proven losses among the edges never selected. */
  readonly lostPrior: Float64Array;
  /** `[N]` `PENDING` or `EXPANDED`. */
  readonly status: Uint8Array;
  /** `[N]` its own evaluation in [-1, 1], to its mover. */
  readonly rawValue: Float32Array;
  /** `[N]` the parent; `NO_NODE` for the root. */
  readonly parentNode: Int32Array;
  /** `[N]` the edge that leads here. */
  readonly parentEdge: Int32Array;

  /** `[E]` action. */
  readonly actions: Int32Array;
  /** `[E]` prior P(s, a). */
  readonly priors: Float32Array;
  /** `[E]` visit count N(s, a). */
  readonly visits: Int32Array;
  /** `[E]` simulations in progress through this edge: its virtual losses. */
  readonly virtualLosses: Int32Array;
  /** `[E]` total value W(s, a) in [-N, N], to the mover at the edge's parent. */
  readonly totalValue: Float64Array;
  /** `[E]` the node it leads to, or `NO_NODE`. */
  readonly children: Int32Array;
  /** `[E]` a `Proof`, to the mover at the edge's parent. */
  readonly proofs: Uint8Array;

  /** `[N]` scratch of `keepSubtree`: new index of each node. */
  private readonly newNode: Int32Array;
  /** `[N]` scratch of `keepSubtree`: places by which each node's edges move to the front. */
  private readonly edgeShift: Int32Array;

  constructor(maxNodes: number, maxEdges: number) {
    this.maxNodes = maxNodes;
    this.maxEdges = maxEdges;
    this.edgeStart = new Int32Array(maxNodes);
    this.edgeCount = new Int32Array(maxNodes);
    this.triedCount = new Int32Array(maxNodes);
    this.unprovenCount = new Int32Array(maxNodes);
    this.triedPrior = new Float64Array(maxNodes);
    this.lostPrior = new Float64Array(maxNodes);
    this.status = new Uint8Array(maxNodes);
    this.rawValue = new Float32Array(maxNodes);
    this.parentNode = new Int32Array(maxNodes);
    this.parentEdge = new Int32Array(maxNodes);
    this.newNode = new Int32Array(maxNodes);
    this.edgeShift = new Int32Array(maxNodes);
    this.actions = new Int32Array(maxEdges);
    this.priors = new Float32Array(maxEdges);
    this.visits = new Int32Array(maxEdges);
    this.virtualLosses = new Int32Array(maxEdges);
    this.totalValue = new Float64Array(maxEdges);
    this.children = new Int32Array(maxEdges);
    this.proofs = new Uint8Array(maxEdges);
    this.clear();
  }

  /** Removes all nodes; only the edge to the root is left. */
  clear(): void {
    this.nodeCount = 0;
    this.edgeEnd = ROOT_EDGE + 1;
    this.visits[ROOT_EDGE] = 0;
    this.virtualLosses[ROOT_EDGE] = 0;
    this.totalValue[ROOT_EDGE] = 0;
    this.children[ROOT_EDGE] = NO_NODE;
    this.proofs[ROOT_EDGE] = UNPROVEN;
  }

  /** Whether a node with `edges` edges can be added. */
  hasRoom(edges: number): boolean {
    return this.nodeCount < this.maxNodes && this.edgeEnd + edges <= this.maxEdges;
  }

  /**
   * Adds a pending node at `parentEdge`. There must be room.
   *
   * @param actions its `count` legal actions, at the front; copied.
   * @returns its index.
   */
  addNode(parentNode: number, parentEdge: number, actions: Int32Array, count: number): number {
    const node = this.nodeCount;
    const start = this.edgeEnd;
    this.nodeCount += 1;
    this.edgeEnd += count;
    this.edgeStart[node] = start;
    this.edgeCount[node] = count;
    this.triedCount[node] = 0;
    this.unprovenCount[node] = count;
    this.triedPrior[node] = 0;
    this.lostPrior[node] = 0;
    this.status[node] = PENDING;
    this.parentNode[node] = parentNode;
    this.parentEdge[node] = parentEdge;
    this.children[parentEdge] = node;
    const own = this.actions;
    for (let i = 0; i < count; i++) own[start + i] = actions[i]!;
    this.visits.fill(0, start, start + count);
    this.virtualLosses.fill(0, start, start + count);
    this.totalValue.fill(0, start, start + count);
    this.children.fill(NO_NODE, start, start + count);
    this.proofs.fill(UNPROVEN, start, start + count);
    return node;
  }

  /**
   * Expands a pending node with its priors: one for each of its actions, from `priors[from]`, in their order.
   *
   * @param value of its evaluation, in [-1, 1] to its mover.
   */
  expand(node: number, priors: Float32Array, from: number, value: number): void {
    const start = this.edgeStart[node]!;
    const count = this.edgeCount[node]!;
    // As `bringForward`, in the same pass: no edge is tried or proven yet.
    const own = this.priors;
    let best = start;
    let bestPrior = -1;
    for (let i = 0; i < count; i++) {
      const prior = priors[from + i]!;
      own[start + i] = prior;
      if (prior > bestPrior) {
        best = start + i;
        bestPrior = prior;
      }
    }
    if (best !== start) this.swapUntried(best, start);
    this.status[node] = EXPANDED;
    this.rawValue[node] = value;
  }

  /**
   * Swaps the edge with the greatest prior among those never selected to their front; proven losses come last. Ties go
   * to the first.
   */
  bringForward(node: number): void {
    const { priors, proofs } = this;
    const first = this.edgeStart[node]! + this.triedCount[node]!;
    const end = this.edgeStart[node]! + this.edgeCount[node]!;
    if (first >= end) return;
    let best = first;
    let bestPrior = proofs[first] === PROVEN_LOSS ? -1 : priors[first]!;
    for (let edge = first + 1; edge < end; edge++) {
      if (priors[edge]! > bestPrior && proofs[edge] !== PROVEN_LOSS) {
        best = edge;
        bestPrior = priors[edge]!;
      }
    }
    if (best !== first) this.swapUntried(best, first);
  }

  /** Exchanges two edges of a node that were never selected. */
  swapUntried(edge: number, other: number): void {
    const { priors, actions, proofs } = this;
    // Untried edges differ only in these fields.
    const action = actions[edge]!;
    const prior = priors[edge]!;
    const proof = proofs[edge]!;
    actions[edge] = actions[other]!;
    priors[edge] = priors[other]!;
    proofs[edge] = proofs[other]!;
    actions[other] = action;
    priors[other] = prior;
    proofs[other] = proof;
  }

  /**
   * Makes `node`, which is not the root, the root and removes all nodes that are not below it. No simulation may be in
   * progress.
   *
   * @param newNodes nodes that the next search may add: the latest of the old ones leave to make room for them, but
   *   half of the room is kept for old ones.
   */
  keepSubtree(node: number, newNodes: number): void {
    const { newNode, edgeShift, edgeStart, edgeCount, parentNode, parentEdge } = this;
    const rootEdge = parentEdge[node]!;
    this.visits[ROOT_EDGE] = this.visits[rootEdge]!;
    this.totalValue[ROOT_EDGE] = this.totalValue[rootEdge]!;
    this.proofs[ROOT_EDGE] = this.proofs[rootEdge]!;
    const share = Math.max(1 - newNodes / this.maxNodes, 0.5);
    let nodes = 0;
    let edgeEnd = ROOT_EDGE + 1;
    newNode.fill(NO_NODE, 0, node);
    for (let old = node; old < this.nodeCount; old++) {
      const oldParent = parentNode[old]!;
      if (old !== node && newNode[oldParent] === NO_NODE) {
        newNode[old] = NO_NODE;
        continue;
      }
      const newParentEdge = old === node ? ROOT_EDGE : parentEdge[old]! - edgeShift[oldParent]!;
      const start = edgeStart[old]!;
      const count = edgeCount[old]!;
      // Without a node, its edge keeps visits and value, and the node is added again when a simulation gets there.
      const hasRoom =
        old === node || (nodes < share * this.maxNodes && edgeEnd + count < share * this.maxEdges);
      newNode[old] = this.children[newParentEdge] = hasRoom ? nodes : NO_NODE;
      if (!hasRoom) continue;
      edgeShift[old] = start - edgeEnd;
      this.moveEdges(start, count, edgeEnd);
      this.moveNode(old, nodes);
      edgeStart[nodes] = edgeEnd;
      // The parent of `node` has left.
      parentNode[nodes] = newNode[oldParent]!;
      parentEdge[nodes] = newParentEdge;
      nodes += 1;
      edgeEnd += count;
    }
    this.nodeCount = nodes;
    this.edgeEnd = edgeEnd;
  }

  private moveEdges(start: number, count: number, target: number): void {
    const end = start + count;
    this.actions.copyWithin(target, start, end);
    this.priors.copyWithin(target, start, end);
    this.visits.copyWithin(target, start, end);
    this.virtualLosses.copyWithin(target, start, end);
    this.totalValue.copyWithin(target, start, end);
    this.children.copyWithin(target, start, end);
    this.proofs.copyWithin(target, start, end);
  }

  private moveNode(from: number, to: number): void {
    this.edgeCount[to] = this.edgeCount[from]!;
    this.triedCount[to] = this.triedCount[from]!;
    this.unprovenCount[to] = this.unprovenCount[from]!;
    this.triedPrior[to] = this.triedPrior[from]!;
    this.lostPrior[to] = this.lostPrior[from]!;
    this.status[to] = this.status[from]!;
    this.rawValue[to] = this.rawValue[from]!;
  }
}

/**
 * A tree with room for one search and for the subtree kept from earlier ones.
 *
 * @param simulations of the search.
 * @param maxEdges bounds its memory, 29 bytes an edge.
 */
export function createTree(
  maxLegalActions: number,
  simulations: number,
  maxEdges: number = MAX_EDGES,
): SearchTree {
  const maxNodes = Math.min(
    1 + REUSE_FACTOR * simulations,
    MAX_NODES,
    Math.ceil(maxEdges / LEAST_EDGES_PER_NODE),
  );
  const usualEdges = maxNodes * Math.min(maxLegalActions, EDGES_PER_NODE);
  return new SearchTree(maxNodes, 1 + Math.max(Math.min(usualEdges, maxEdges), maxLegalActions));
}
