import type { Rng } from '../../../env/random.js';
import type { GumbelSearchConfig } from '../../search-config.js';
import { NO_EDGE } from '../best-edge.js';
import { CompletedValues, logitOf } from './completed-values.js';
import { consideredVisits } from './considered-visits.js';
import type { RootStatistics } from '../root-statistics.js';
import { isPlayable, PROVEN_LOSS, type Proof, reverseProof } from '../proof.js';
import { ROOT, ROOT_EDGE, type SearchTree } from '../search-tree.js';

/** Least uniform sample: the logarithm of 0 is infinite. */
const LEAST_DRAW = 2 ** -53;
/** Rank of an edge with exactly the wanted number of visits, above all others. */
const WANTED = 2 ** 31;
/** Rank of an edge with more visits than wanted, below all others. */
const BEYOND = -1;

/** Most actions that a search which does not explore considers: it looks for the best move, not for targets. */
function mostUnexplored(simulations: number): number {
  return Math.max(4, simulations >> 3);
}

/** A sample of the standard Gumbel distribution. */
function drawGumbel(rng: Rng): number {
  return -Math.log(-Math.log(Math.max(rng.float(), LEAST_DRAW)));
}

/**
 * Divides the simulations of a search among the actions of the root by sequential halving: the `m` with the greatest
 * `noise + logit` are considered, then repeatedly the better half of them by `noise + logit + sigma(completed q)`.
 * Visits kept from earlier searches contribute values, but do not count towards the halving.
 *
 * Proven losses are skipped; their simulations go to other actions. `L` is the game's `maxLegalActions`. Arrays are
 * indexed by an edge's place among the root's edges.
 *
 * @see Danihelka et al. 2022, "Policy improvement by planning with Gumbel", algorithm 2 and section 4.
 */
export class GumbelRoot {
  private readonly config: GumbelSearchConfig;
  private readonly values: CompletedValues;
  /** Factor of the Gumbel noise. */
  private readonly scale: number;
  /** `[L]` the noise, times its scale. */
  private readonly noise: Float64Array;
  /** `[L]` logarithms of the priors. */
  private readonly logits: Float64Array;
  /** `[L]` simulations of this search, pending ones included. */
  private readonly searchVisits: Int32Array;
  /** Visit counts of sequential halving, by `considered simulations`. */
  private readonly sequences = new Map<string, Int32Array>();
  private sequence: Int32Array = new Int32Array();

  /** @param scale of the noise; 0: none, for play at full strength. */
  constructor(config: GumbelSearchConfig, maxActions: number, scale: number) {
    this.config = config;
    this.values = new CompletedValues(config);
    this.scale = scale;
    this.noise = new Float64Array(maxActions);
    this.logits = new Float64Array(maxActions);
    this.searchVisits = new Int32Array(maxActions);
  }

  /**
   * Starts a search with new noise.
   *
   * @param root just read.
   * @param simulations of this search.
   * @param rng null for a search that does not explore: it has no noise and considers fewer actions.
   */
  begin(tree: SearchTree, root: RootStatistics, simulations: number, rng: Rng | null): void {
    const start = tree.edgeStart[ROOT]!;
    let candidates = 0;
    // In the order of the actions, so that the noise does not depend on the tree kept from earlier searches.
    for (let i = 0; i < root.count; i++) {
      const place = root.edges[i]! - start;
      this.noise[place] = rng === null || this.scale === 0 ? 0 : this.scale * drawGumbel(rng);
      this.logits[place] = logitOf(root.priors[i]!);
      this.searchVisits[place] = 0;
      if (root.proofs[i] !== PROVEN_LOSS) candidates += 1;
    }
    const wanted = rng === null ? mostUnexplored(simulations) : Infinity;
    const considered = Math.min(this.config.consideredActions, candidates, wanted);
    const name = `${considered} ${simulations}`;
    const known = this.sequences.get(name);
    this.sequence = known ?? consideredVisits(considered, simulations);
    if (known === undefined) this.sequences.set(name, this.sequence);
  }

  /**
   * Selects the edge of the root for a simulation: the best of those with the number of visits that sequential halving
   * wants.
   *
   * @param simulation its number in this search, from 0.
   */
  selectEdge(tree: SearchTree, simulation: number): number {
    const wanted = this.sequence[simulation]!;
    this.values.read(tree, ROOT);
    const start = tree.edgeStart[ROOT]!;
    const end = start + tree.edgeCount[ROOT]!;
    let best = NO_EDGE;
    let bestRank = -Infinity;
    let bestScore = -Infinity;
    for (let edge = start; edge < end; edge++) {
      if (tree.proofs[edge] === PROVEN_LOSS) continue;
      const visits = this.searchVisits[edge - start]!;
      // If proofs removed all edges with the wanted visits, the edge with the most visits below that is selected.
      const rank = visits === wanted ? WANTED : visits < wanted ? visits : BEYOND;
      if (rank < bestRank) continue;
      const score = this.scoreOf(tree, edge);
      if (rank === bestRank && score <= bestScore) continue;
      best = edge;
      bestRank = rank;
      bestScore = score;
    }
    return best;
  }

  /**
   * Records that a simulation passes through `edge` of the root, and adds a virtual loss to it.
   *
   * @returns the edge's new index: tried edges come first.
   */
  enter(tree: SearchTree, edge: number): number {
    const start = tree.edgeStart[ROOT]!;
    const firstUntried = start + tree.triedCount[ROOT]!;
    let entered = edge;
    if (edge >= firstUntried) {
      this.swap(tree, edge, firstUntried);
      entered = firstUntried;
      tree.triedCount[ROOT]! += 1;
      tree.triedPrior[ROOT]! += tree.priors[entered]!;
    }
    this.searchVisits[entered - start]! += 1;
    tree.virtualLosses[entered]! += 1;
    return entered;
  }

  /** Reverts `enter` for a simulation that was cancelled, except for the virtual loss. */
  leave(tree: SearchTree, edge: number): void {
    this.searchVisits[edge - tree.edgeStart[ROOT]!]! -= 1;
  }

  /**
   * Writes the improved policy, `softmax(logits + sigma(completed q))`, in the order of `root.actions`. A proven win
   * gets all probability, a proven loss none unless all moves are proven losses.
   *
   * @param root just read.
   * @param out `[count]` or longer; sums to 1.
   */
  writePolicy(tree: SearchTree, root: RootStatistics, out: Float32Array): void {
    const { count, edges, proofs } = root;
    const start = tree.edgeStart[ROOT]!;
    this.values.read(tree, ROOT);
    const proof = reverseProof(tree.proofs[ROOT_EDGE] as Proof);
    let greatest = -Infinity;
    for (let i = 0; i < count; i++) {
      if (!isPlayable(proofs[i] as Proof, proof)) continue;
      out[i] = this.logits[edges[i]! - start]! + this.sigmaOf(tree, edges[i]!);
      greatest = Math.max(greatest, out[i]!);
    }
    let sum = 0;
    for (let i = 0; i < count; i++) {
      out[i] = isPlayable(proofs[i] as Proof, proof) ? Math.exp(out[i]! - greatest) : 0;
      sum += out[i]!;
    }
    for (let i = 0; i < count; i++) out[i]! /= sum;
  }

  /**
   * The mean of the completed values, in [-1, 1], weighted by `policy`.
   *
   * @param root just read.
   * @param policy `[count]` in the order of `root.actions`; sums to 1.
   */
  valueOfPolicy(tree: SearchTree, { count, edges }: RootStatistics, policy: Float32Array): number {
    this.values.read(tree, ROOT);
    let value = 0;
    for (let i = 0; i < count; i++) {
      if (policy[i]! > 0) value += policy[i]! * this.values.valueOf(tree, edges[i]!);
    }
    return Math.max(-1, Math.min(1, value));
  }

  /**
   * The edge to play: of those most visited in this search, the one with the greatest `noise + logit + sigma(completed
   * q)`. A proven win is always played, a proven loss only if all moves are.
   */
  bestEdge(tree: SearchTree): number {
    const start = tree.edgeStart[ROOT]!;
    const end = start + tree.edgeCount[ROOT]!;
    this.values.read(tree, ROOT);
    const proof = reverseProof(tree.proofs[ROOT_EDGE] as Proof);
    let best = NO_EDGE;
    let bestVisits = -1;
    let bestScore = -Infinity;
    for (let edge = start; edge < end; edge++) {
      const visits = this.searchVisits[edge - start]!;
      if (!isPlayable(tree.proofs[edge] as Proof, proof) || visits < bestVisits) continue;
      const score = this.scoreOf(tree, edge);
      if (visits === bestVisits && score <= bestScore) continue;
      best = edge;
      bestVisits = visits;
      bestScore = score;
    }
    return best;
  }

  private scoreOf(tree: SearchTree, edge: number): number {
    const place = edge - tree.edgeStart[ROOT]!;
    return this.noise[place]! + this.logits[place]! + this.sigmaOf(tree, edge);
  }

  /** `values.read` must have read the root. If all moves lose, values do not differ. */
  private sigmaOf(tree: SearchTree, edge: number): number {
    return tree.proofs[edge] === PROVEN_LOSS ? 0 : this.values.sigmaOf(tree, edge);
  }

  private swap(tree: SearchTree, edge: number, other: number): void {
    tree.swapUntried(edge, other);
    const start = tree.edgeStart[ROOT]!;
    for (const numbers of [this.noise, this.logits]) {
      const number = numbers[edge - start]!;
      numbers[edge - start] = numbers[other - start]!;
      numbers[other - start] = number;
    }
  }
}
