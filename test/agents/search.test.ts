import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EvaluationBatch, type Evaluator } from '../../agents/evaluators/evaluator.js';
import { runSearches } from '../../agents/mcts/driver.js';
import { PROVEN_LOSS, PROVEN_WIN, UNPROVEN } from '../../agents/mcts/proof.js';
import { ROOT_EDGE } from '../../agents/mcts/search-tree.js';
import { Search, type SearchOptions } from '../../agents/mcts/search.js';
import { SearchConfig } from '../../agents/search-config.js';
import { UniformEvaluator } from '../../agents/evaluators/uniform-evaluator.js';
import { connectFour } from '../../env/connect-four/connect-four.js';
import type { ConnectFourState } from '../../env/connect-four/connect-four-position.js';
import { createRng } from '../../env/random.js';
import { HashEvaluator } from './evaluators/hash-evaluator.js';
import { dumpTree, treeFaults } from './search-tree-laws.js';
import { stateSnapshot } from './state-snapshot.js';

const WIN_FOR_BLACK = [0, 6, 1, 6, 2, 6];

function play(actions: readonly number[]): ConnectFourState {
  const state = connectFour.initialState();
  for (const action of actions) connectFour.apply(state, action);
  return state;
}

interface Run {
  readonly options?: Partial<SearchOptions>;
  readonly simulations?: number;
  readonly exploration?: number;
  readonly evaluator?: Evaluator;
  readonly seed?: number;
}

function createSearch(run: Run = {}): Search<ConnectFourState> {
  const config = SearchConfig.parse({
    simulations: run.simulations ?? 64,
    exploration: run.exploration ?? 1.25,
  });
  return new Search(connectFour, { config, ...run.options }, createRng(run.seed ?? 1));
}

async function search(state: ConnectFourState, run: Run = {}): Promise<Search<ConnectFourState>> {
  const made = createSearch(run);
  made.begin(state);
  await runSearches([made], run.evaluator ?? new HashEvaluator(), new EvaluationBatch(connectFour, 8));
  return made;
}

/** A position after `plies` random moves, or after fewer if the game would end. */
function ending(seed: number, plies: number): ConnectFourState {
  const rng = createRng(seed, 'ending');
  for (;;) {
    const state = connectFour.initialState();
    const legal = new Int32Array(7);
    while (connectFour.outcome(state) === null && connectFour.ply(state) < plies) {
      connectFour.apply(state, legal[rng.integer(connectFour.legalActions(state, legal))]!);
    }
    if (connectFour.outcome(state) === null) return state;
  }
}

function edgeOf({ tree }: Search<ConnectFourState>, node: number, action: number): number {
  const start = tree.edgeStart[node]!;
  return tree.actions.subarray(start, start + tree.edgeCount[node]!).indexOf(action);
}

describe('a search', () => {
  test('spends all simulations on the edges of the root', async () => {
    const done = await search(connectFour.initialState(), { simulations: 200 });
    const root = done.readRoot();
    expect(root.visits.reduce((sum, visits) => sum + visits, 0)).toBe(200);
    expect(done.rootVisits).toBe(200);
    expect([...root.actions.subarray(0, root.count)]).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('finds a win in one with uniform priors, and stops', async () => {
    const done = await search(play(WIN_FOR_BLACK), { evaluator: new UniformEvaluator() });
    expect(done.principalVariation()).toEqual([3]);
    expect(done.rootValue).toBe(1);
    expect(done.readRoot().proofs[3]).toBe(PROVEN_WIN);
    expect(done.rootVisits).toBeLessThanOrEqual(7);
  });

  test('parries a loss in one', async () => {
    const done = await search(play([...WIN_FOR_BLACK.slice(0, 5)]), { evaluator: new UniformEvaluator() });
    expect(done.principalVariation()[0]).toBe(3);
    const root = done.readRoot();
    for (const action of [0, 1, 2, 4, 5, 6]) expect(root.proofs[action]).toBe(PROVEN_LOSS);
  });

  test('backs up proofs, and does not visit proven losses again', async () => {
    // Only column 6 stops the opponent.
    const state = play([0, 6, 0, 6, 1, 6]);
    const uniform = new UniformEvaluator();
    // So much exploration that only a proof excludes a move.
    const done = await search(state, { evaluator: uniform, simulations: 200, exploration: 50 });
    // The answer to the first of them has proven all others too, and no simulation ended there.
    expect([...done.readRoot().proofs.subarray(0, 6)]).toEqual(Array(6).fill(PROVEN_LOSS));
    const visits = [0, 0, 0, 0, 0, 0, 200];
    expect([...done.root.visits.subarray(0, 7)]).toEqual(visits);
    done.begin(state);
    await runSearches([done], new UniformEvaluator(), new EvaluationBatch(connectFour, 1));
    expect([...done.readRoot().visits.subarray(0, 6)]).toEqual(visits.slice(0, 6));
    expect(done.rootVisits).toBe(400);
  });

  test('proves a loss when every move loses', async () => {
    // Black has three in a row with both ends open.
    const done = await search(play([2, 2, 3, 3, 4]), { evaluator: new UniformEvaluator(), simulations: 500 });
    expect(done.rootValue).toBe(-1);
    expect(done.tree.proofs[ROOT_EDGE]).toBe(PROVEN_WIN);
  });

  test('leaves the state unchanged and no virtual loss, with any number of leaves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(6), { maxLength: 12 }),
        fc.integer({ min: 1, max: 8 }),
        async (picks, leaves) => {
          const state = connectFour.initialState();
          for (const action of picks) {
            if (connectFour.outcome(state) === null && connectFour.isLegal(state, action)) {
              connectFour.apply(state, action);
            }
          }
          fc.pre(connectFour.outcome(state) === null);
          const before = stateSnapshot(connectFour, state);
          const done = await search(state, { options: { leaves }, simulations: 100 });
          expect(stateSnapshot(connectFour, state)).toEqual(before);
          expect(treeFaults(done.tree)).toEqual([]);
          if (done.tree.proofs[ROOT_EDGE] === UNPROVEN) expect(done.rootVisits).toBe(100);
        },
      ),
    );
  });

  test('gives the same result twice', async () => {
    const options = { noise: { dirichletScale: 10, fraction: 0.25 }, leaves: 3 };
    const first = dumpTree((await search(play([3, 3]), { options })).tree);
    expect(dumpTree((await search(play([3, 3]), { options })).tree)).toBe(first);
    expect(dumpTree((await search(play([3, 3]), { options, seed: 2 })).tree)).not.toBe(first);
  });

  test('does not depend on the searches that it is run with', async () => {
    const positions = [[], [3], [3, 3], [0, 1, 2], [6, 6]].map(play);
    const options = { leaves: 3 };
    const alone = await Promise.all(
      positions.map(async (state) => dumpTree((await search(state, { options })).tree)),
    );
    const together = positions.map(() => createSearch({ options }));
    together.forEach((one, index) => {
      one.begin(positions[index]!);
    });
    await runSearches(together, new HashEvaluator(), new EvaluationBatch(connectFour, 7));
    expect(together.map((one) => dumpTree(one.tree))).toEqual(alone);
  });

  test('keeps the subtree below the moves played, and nothing else', async () => {
    const state = connectFour.initialState();
    const done = await search(state, { simulations: 300 });
    const moves = done.principalVariation().slice(0, 2);
    let node = 0;
    for (const move of moves) {
      node = done.tree.children[done.tree.edgeStart[node]! + edgeOf(done, node, move)]!;
      connectFour.apply(state, move);
    }
    const before = dumpTree(done.tree, node);
    expect(done.tree.nodeCount - node).toBeGreaterThan(20);
    const visits = done.tree.visits[done.tree.parentEdge[node]!]!;
    const totalValue = done.tree.totalValue[done.tree.parentEdge[node]!]!;
    done.begin(state);
    expect(dumpTree(done.tree)).toBe(before);
    expect(done.tree.totalValue[ROOT_EDGE]).toBe(totalValue);
    expect(treeFaults(done.tree)).toEqual([]);
    expect(done.rootVisits).toBe(visits - 1);
    await runSearches([done], new HashEvaluator(), new EvaluationBatch(connectFour, 1));
    expect(done.rootVisits).toBe(visits - 1 + 300);
    expect(treeFaults(done.tree)).toEqual([]);
  });

  test('starts with an empty tree if the state does not follow from the last root', async () => {
    const done = await search(play([3, 3]));
    done.begin(play([3, 2, 1]));
    expect(done.rootVisits).toBe(0);
    // The same position by other moves, on which the legal moves could depend.
    const transposed = await search(play([0, 1, 2]));
    transposed.begin(play([2, 1, 0]));
    expect(transposed.rootVisits).toBe(0);
    const other = connectFour.parsePosition(connectFour.formatPosition(play([2, 2])));
    const unrelated = await search(other);
    unrelated.begin(play([]));
    expect(unrelated.rootVisits).toBe(0);
  });

  test('ends when the tree is full', async () => {
    const state = connectFour.initialState();
    const long = await search(state, { simulations: 400, options: { leaves: 4 } });
    for (let i = 0; i < 6; i++) {
      long.begin(state);
      await runSearches([long], new HashEvaluator(), new EvaluationBatch(connectFour, 8));
    }
    expect(long.tree.nodeCount).toBe(long.tree.maxNodes);
    expect(long.isDone).toBe(true);
    expect(long.rootVisits).toBeLessThan(1700);
    expect(long.tree.virtualLosses.every((count) => count === 0)).toBe(true);
  });

  test("ends without room for another node's edges", async () => {
    const made = await search(play([]), { simulations: 1000, options: { leaves: 3, maxEdges: 300 } });
    expect(made.tree.hasRoom(7)).toBe(false);
    expect(made.tree.nodeCount).toBeLessThan(50);
    expect(made.isDone).toBe(true);
    expect(made.rootVisits).toBeLessThan(60);
    expect(made.tree.virtualLosses.every((count) => count === 0)).toBe(true);
  });

  test('that follows its own line always has room for its simulations, but keeps at most the rest', async () => {
    const state = connectFour.initialState();
    // More room than the new simulations need is left by half of the tree only.
    const long = await search(state, { simulations: 100, options: { leaves: 3, maxEdges: 1500 } });
    for (let ply = 0; ply < 12; ply++) {
      const before = long.rootVisits;
      connectFour.apply(state, long.principalVariation()[0]!);
      long.begin(state);
      expect(long.tree.hasRoom(7)).toBe(true);
      expect(before).toBeGreaterThan(0);
      await runSearches([long], new HashEvaluator(), new EvaluationBatch(connectFour, 8));
      if (long.tree.proofs[ROOT_EDGE] !== UNPROVEN) break;
      expect(long.simulations).toBe(100);
      expect(long.tree.virtualLosses.every((count) => count === 0)).toBe(true);
    }
  });

  test('counts a truncated line as a draw that is not proven', async () => {
    const cut = { ...connectFour, plyLimit: 3 };
    const made = new Search(cut, { config: SearchConfig.parse({ simulations: 100 }) }, createRng(1));
    made.begin(play([3, 3]));
    await runSearches([made], new UniformEvaluator(), new EvaluationBatch(cut, 1));
    expect(made.rootValue).toBe(0);
    expect(made.rootVisits).toBe(100);
    expect(made.tree.proofs[ROOT_EDGE]).toBe(UNPROVEN);
  });

  test.each([1, 4])('starts no simulation beyond its node limit, with %i leaves', async (leaves) => {
    const made = createSearch({ options: { leaves }, simulations: 500 });
    made.begin(play([]), { nodes: 41 });
    await runSearches([made], new HashEvaluator(), new EvaluationBatch(connectFour, 8));
    // The root's evaluation counts.
    expect(made.rootVisits).toBe(40);
    expect(made.simulations).toBe(40);
    expect(made.tree.nodeCount).toBe(41);
    expect(treeFaults(made.tree)).toEqual([]);
    // A limit holds for one search.
    made.begin(play([]), { simulations: 10 });
    await runSearches([made], new HashEvaluator(), new EvaluationBatch(connectFour, 8));
    expect(made.rootVisits).toBe(50);
  });

  test('starts no simulation after its deadline, and still returns a move', async () => {
    const made = createSearch({ simulations: 1_000_000, options: { leaves: 4 } });
    made.begin(play([]), { deadlineMs: performance.now() - 1 });
    await runSearches([made], new HashEvaluator(), new EvaluationBatch(connectFour, 8));
    expect(made.rootVisits).toBe(0);
    const policy = new Float32Array(7);
    made.readRoot();
    made.writePolicy(policy);
    expect(connectFour.isLegal(play([]), made.chooseAction(policy, 0))).toBe(true);
    const startMs = performance.now();
    made.begin(play([]), { deadlineMs: startMs + 200 });
    await runSearches([made], new HashEvaluator(), new EvaluationBatch(connectFour, 8));
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(200);
    expect(made.rootVisits).toBeGreaterThan(0);
    expect(made.rootVisits).toBeLessThan(1_000_000);
    expect(treeFaults(made.tree)).toEqual([]);
  });

  test('has no noise if it does not explore', async () => {
    const options = { noise: { dirichletScale: 10, fraction: 0.5 } };
    const made = createSearch({ options });
    made.begin(play([]), { explores: false });
    await runSearches([made], new HashEvaluator(), new EvaluationBatch(connectFour, 8));
    expect(dumpTree(made.tree)).toBe(dumpTree((await search(play([]))).tree));
  });

  test('mixes noise into the priors of the root only, and keeps their sum', async () => {
    const plain = await search(play([]), { simulations: 50 });
    const noisy = await search(play([]), {
      simulations: 50,
      options: { noise: { dirichletScale: 10, fraction: 0.5 } },
    });
    const sum = (priors: Float32Array): number => priors.reduce((total, prior) => total + prior, 0);
    expect(sum(noisy.readRoot().priors)).toBeCloseTo(1, 5);
    expect(noisy.readRoot().priors).not.toEqual(plain.readRoot().priors);
    for (let action = 0; action < 7; action++) {
      expect(noisy.root.priors[action]!).toBeGreaterThan(0.5 * plain.root.priors[action]! - 1e-6);
    }
  });

  test('proves the true result of an ending, to the player to move', async () => {
    /** By exhaustive search. */
    const solve = (state: ConnectFourState): number => {
      const outcome = connectFour.outcome(state);
      if (outcome !== null) return connectFour.currentPlayer(state) === 0 ? outcome : -outcome;
      let best = -1;
      for (let action = 0; action < 7; action++) {
        if (!connectFour.isLegal(state, action)) continue;
        connectFour.apply(state, action);
        best = Math.max(best, 0 - solve(state));
        connectFour.undo(state);
      }
      return best;
    };
    const results = new Map<number, number>();
    for (let seed = 0; results.size < 3 || seed < 40; seed++) {
      const state = ending(seed, 33);
      const expected = solve(state);
      const done = await search(state, { simulations: 3000 });
      const isProven = done.tree.proofs[ROOT_EDGE] !== UNPROVEN;
      // A search may stop at a proven draw before it has refuted a win.
      if (!isProven) expect(expected).toBe(0);
      if (!isProven) continue;
      expect(done.rootValue).toBe(expected);
      expect(done.tree.proofs[ROOT_EDGE]).toBe(2 - expected);
      const root = done.readRoot();
      expect(Math.max(...root.qValues.subarray(0, root.count))).toBe(expected);
      results.set(expected, (results.get(expected) ?? 0) + 1);
    }
    // The positions include wins, draws and losses.
    expect(results.size).toBe(3);
  });

  test('values a position as the negative of its replies', async () => {
    // Every evaluation is a certain win for the player to move.
    const sure: Evaluator = {
      name: 'sure',
      readsInputs: false,
      evaluate: (batch) => {
        for (let i = 0; i < batch.size; i++) {
          batch.priors.fill(1 / 7, batch.start[i], batch.start[i + 1]);
          batch.outcomes.set([1, 0, 0], 3 * i);
        }
        return Promise.resolve();
      },
      dispose: () => Promise.resolve(),
    };
    const done = await search(play([]), { simulations: 7, evaluator: sure });
    const root = done.readRoot();
    expect([...root.visits]).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect([...root.qValues]).toEqual([-1, -1, -1, -1, -1, -1, -1]);
    expect(done.rootValue).toBeCloseTo((1 - 7) / 8, 10);
  });
});
