import type { SearchConfig } from '../search-config.js';
import { GumbelRoot } from './gumbel/gumbel-root.js';
import { ImprovedSelection } from './gumbel/improved-selection.js';
import { enterEdge, selectEdge } from './puct-selection.js';
import { ROOT, type SearchTree } from './search-tree.js';

/**
 * Selects the edges that simulations follow: by PUCT, or by sequential halving at the root and the improved
 * policy below.
 */
export class EdgeSelection {
  /** Null for selection by PUCT. */
  readonly gumbelRoot: GumbelRoot | null;
  private readonly config: SearchConfig;
  private readonly improved: ImprovedSelection | null;

  /** @param gumbelScale factor of the Gumbel noise. */
  constructor(config: SearchConfig, maxActions: number, gumbelScale: number) {
    this.config = config;
    const isGumbel = config.root === 'gumbel';
    this.gumbelRoot = isGumbel ? new GumbelRoot(config, maxActions, gumbelScale) : null;
    this.improved = isGumbel ? new ImprovedSelection(config, maxActions) : null;
  }

  /**
   * Selects the next edge of `node` and puts a virtual loss on it.
   *
   * @param simulation its number in this search, from 0.
   * @returns the edge's new index: tried edges come first.
   */
  enter(tree: SearchTree, node: number, simulation: number): number {
    const { config, gumbelRoot } = this;
    if (config.root === 'puct') {
      const edge = selectEdge(tree, node, config);
      enterEdge(tree, node, edge);
      return edge;
    }
    if (node === ROOT) return gumbelRoot!.enter(tree, gumbelRoot!.selectEdge(tree, simulation));
    const edge = this.improved!.selectEdge(tree, node);
    enterEdge(tree, node, edge);
    return edge;
  }

  /** Records that a simulation through `rootEdge` was cancelled. The caller removes its virtual losses. */
  leave(tree: SearchTree, rootEdge: number): void {
    this.gumbelRoot?.leave(tree, rootEdge);
  }
}
