import { SearchTree } from './search-tree.js';

/** Nodes of a tree per simulation of a search, to leave room for subtrees kept from move to move. */
const REUSE_FACTOR = 4;
/** Edges of a tree per node: more than the longer positions of Gess have on average. */
const EDGES_PER_NODE = 512;
/** Least number of edges per node, as in Connect Four; bounds the nodes of a tree with few edges. */
const LEAST_EDGES_PER_NODE = 7;
/** Default limit of a tree's edges; an edge takes 29 bytes. */
const MAX_EDGES = 8_000_000;
/** Limit of a tree's nodes; a node takes 57 bytes. */
const MAX_NODES = 1 << 20;

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
