import type { Action } from '../../env/game.js';
import { bestEdge, NO_EDGE } from './best-edge.js';
import { NO_NODE, type SearchTree } from './search-tree.js';

/**
 * The line that a search expects, at most `limit` actions. For display, not for hot paths.
 *
 * @param first the edge of its first action, or `NO_EDGE` for an empty line.
 */
export function principalVariation(tree: SearchTree, first: number, limit: number): Action[] {
  const line: Action[] = [];
  let edge = first;
  while (edge !== NO_EDGE && line.length < limit) {
    line.push(tree.actions[edge]!);
    const node = tree.children[edge]!;
    edge = node === NO_NODE ? NO_EDGE : bestEdge(tree, node);
  }
  return line;
}
