import type { Action } from '../../env/game.js';
import { UNPROVEN, valueOfProof } from './proof.js';
import { ROOT, type SearchTree } from './search-tree.js';

/** Statistics of the moves of a search's root, read once a move. `L` is the game's `maxLegalActions`. */
export class RootStatistics {
  /** Legal actions of the root; 0 before it was evaluated. */
  count = 0;
  /** `[L]` ascending. */
  readonly actions: Int32Array;
  /** `[L]` edges of the tree, in the order of `actions`. */
  readonly edges: Int32Array;
  /** `[L]` visit counts, in the order of `actions`. */
  readonly visits: Int32Array;
  /** `[L]` Q in [-1, 1] to the player to move at the root; 0 where unvisited; exact where proven. */
  readonly qValues: Float32Array;
  /** `[L]` priors, root noise included. */
  readonly priors: Float32Array;
  /** `[L]` a `Proof` each, to the player to move at the root. */
  readonly proofs: Uint8Array;
  /** `[L]` scratch: `action * 65536 + index of the edge`. */
  private readonly keys: Float64Array;

  constructor(maxActions: number) {
    this.actions = new Int32Array(maxActions);
    this.edges = new Int32Array(maxActions);
    this.visits = new Int32Array(maxActions);
    this.qValues = new Float32Array(maxActions);
    this.priors = new Float32Array(maxActions);
    this.proofs = new Uint8Array(maxActions);
    this.keys = new Float64Array(maxActions);
  }

  /** Copies the statistics of the root's edges, sorted by action. The root must be expanded. */
  read(tree: SearchTree): void {
    const start = tree.edgeStart[ROOT]!;
    const count = tree.edgeCount[ROOT]!;
    this.count = count;
    for (let i = 0; i < count; i++) this.keys[i] = tree.actions[start + i]! * 65_536 + i;
    this.keys.subarray(0, count).sort();
    for (let i = 0; i < count; i++) {
      const edge = start + (this.keys[i]! % 65_536);
      const visits = tree.visits[edge]!;
      const proof = tree.proofs[edge]!;
      this.edges[i] = edge;
      this.actions[i] = tree.actions[edge]!;
      this.visits[i] = visits;
      this.priors[i] = tree.priors[edge]!;
      this.proofs[i] = proof;
      if (proof === UNPROVEN) this.qValues[i] = visits === 0 ? 0 : tree.totalValue[edge]! / visits;
      else this.qValues[i] = valueOfProof(proof);
    }
  }

  /** Index of `action`, which must be one of the actions. */
  indexOf(action: Action): number {
    return this.actions.subarray(0, this.count).indexOf(action);
  }
}
