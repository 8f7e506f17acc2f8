import { describe, expect, test } from 'vitest';
import { UniformEvaluator } from '../../../agents/evaluators/uniform-evaluator.js';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { prove } from '../../../agents/mcts/backup.js';
import { runSearches } from '../../../agents/mcts/driver.js';
import { ImprovedSelection } from '../../../agents/mcts/gumbel/improved-selection.js';
import { PROVEN_LOSS } from '../../../agents/mcts/proof.js';
import { selectEdge } from '../../../agents/mcts/puct-selection.js';
import { Search } from '../../../agents/mcts/search.js';
import { NO_NODE, ROOT, ROOT_EDGE, SearchTree } from '../../../agents/mcts/search-tree.js';
import { GumbelSearchConfig, PuctSearchConfig } from '../../../agents/search-config.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { createRng, type Rng } from '../../../env/random.js';

interface Move {
  readonly action: number;
  readonly prior: number;
  readonly visits: number;
  readonly value: number;
}

/** A tree of one node, its visited moves first. */
function treeOf(moves: readonly Move[]): SearchTree {
  const tree = new SearchTree(1, 1 + moves.length);
  const sum = moves.reduce((total, { prior }) => total + prior, 0);
  tree.addNode(
    NO_NODE,
    ROOT_EDGE,
    Int32Array.from(moves, ({ action }) => action),
    moves.length,
  );
  tree.expand(
    ROOT,
    Float32Array.from(moves, () => 0),
    0,
    0.1,
  );
  moves.forEach(({ action, prior, visits, value }, place) => {
    const edge = tree.edgeStart[ROOT]! + place;
    tree.actions[edge] = action;
    tree.priors[edge] = prior / sum;
    tree.visits[edge] = visits;
    tree.totalValue[edge] = visits * value;
    if (visits > 0) {
      tree.triedCount[ROOT]! += 1;
      tree.triedPrior[ROOT]! += tree.priors[edge];
    }
  });
  tree.bringForward(ROOT);
  return tree;
}

/** Some visited moves, then some without visits. */
function drawMoves(rng: Rng): Move[] {
  const visited = 1 + rng.integer(5);
  return Array.from({ length: visited + 2 + rng.integer(20) }, (_, action) => ({
    action,
    prior: rng.float() ** 3,
    visits: action < visited ? 1 + rng.integer(8) : 0,
    value: rng.float() * 0.2 - 0.1,
  }));
}

describe('selection below a Gumbel root', () => {
  const config = GumbelSearchConfig.parse({ root: 'gumbel', rescaleValues: false, valueScale: 1 });

  test('treats moves that were proven lost before any visit as illegal', () => {
    const rng = createRng(1);
    for (let round = 0; round < 200; round++) {
      const moves = drawMoves(rng);
      const lost = new Set(
        moves.filter(({ visits }) => visits === 0 && rng.float() < 0.8).map(({ action }) => action),
      );
      const tree = treeOf(moves);
      const first = tree.edgeStart[ROOT]!;
      for (let edge = first; edge < first + moves.length; edge++) {
        if (lost.has(tree.actions[edge]!)) prove(tree, ROOT, edge, PROVEN_LOSS);
      }
      tree.bringForward(ROOT);
      const legal = treeOf(moves.filter(({ action }) => !lost.has(action)));
      const selection = new ImprovedSelection(config, moves.length);
      const action = tree.actions[selection.selectEdge(tree, ROOT)];
      expect(action).toBe(legal.actions[selection.selectEdge(legal, ROOT)]);
    }
  });
});

describe('selection by PUCT', () => {
  test('takes no visited move that was proven lost later, however great its prior', () => {
    const config = PuctSearchConfig.parse({ root: 'puct', exploration: 100 });
    const moves = [0.1, 0.8, 0.1].map((prior, action) => ({ action, prior, visits: 1, value: 0 }));
    const tree = treeOf(moves);
    tree.visits[ROOT_EDGE] = moves.length;
    const select = (): number => selectEdge(tree, ROOT, config) - tree.edgeStart[ROOT]!;
    expect(select()).toBe(1);
    prove(tree, ROOT, tree.edgeStart[ROOT]! + 1, PROVEN_LOSS);
    expect(select()).toBe(0);
  });
});

describe('a move that is proven lost', () => {
  // Only column 6 stops the opponent's four.
  const THREAT = [0, 6, 0, 6, 1, 6];

  test.each([
    ['PUCT', PuctSearchConfig.parse({ root: 'puct', simulations: 60, exploration: 2 })],
    ['a Gumbel root', GumbelSearchConfig.parse({ root: 'gumbel', simulations: 60 })],
  ])('takes no simulation from the others: %s', async (_, config) => {
    // One move before: the threat is below the root, too.
    for (const actions of [THREAT, THREAT.slice(0, -1)]) {
      const state = connectFour.initialState();
      for (const action of actions) connectFour.apply(state, action);
      const search = new Search(connectFour, { config }, createRng(1));
      search.begin(state);
      await runSearches([search], new UniformEvaluator(), new EvaluationBatch(connectFour, 1));
      const { tree } = search;
      let lost = 0;
      for (let node = 0; node < tree.nodeCount; node++) {
        // The node of a move that wins is left out: all its moves lose.
        if (tree.unprovenCount[node] === 0) continue;
        for (let place = 0; place < tree.edgeCount[node]!; place++) {
          const edge = tree.edgeStart[node]! + place;
          const isAtOnce = tree.proofs[edge] === PROVEN_LOSS && tree.children[edge] === NO_NODE;
          if (!isAtOnce) continue;
          lost += 1;
          expect(tree.visits[edge]).toBe(0);
        }
      }
      expect(lost).toBeGreaterThan(5);
      expect(search.rootVisits).toBe(60);
      expect(tree.virtualLosses.every((count) => count === 0)).toBe(true);
    }
  });
});
