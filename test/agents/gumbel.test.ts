import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EvaluationBatch, type Evaluator } from '../../agents/evaluators/evaluator.js';
import { CompletedValues } from '../../agents/mcts/gumbel/completed-values.js';
import { consideredVisits } from '../../agents/mcts/gumbel/considered-visits.js';
import { runSearches } from '../../agents/mcts/driver.js';
import { ImprovedSelection } from '../../agents/mcts/gumbel/improved-selection.js';
import { PROVEN_LOSS, PROVEN_WIN } from '../../agents/mcts/proof.js';
import { NO_NODE, ROOT, ROOT_EDGE, SearchTree } from '../../agents/mcts/search-tree.js';
import { Search, type SearchOptions } from '../../agents/mcts/search.js';
import { GumbelSearchConfig } from '../../agents/search-config.js';
import { UniformEvaluator } from '../../agents/evaluators/uniform-evaluator.js';
import { connectFour } from '../../env/connect-four/connect-four.js';
import type { Game } from '../../env/game.js';
import { createGess } from '../../env/gess/gess.js';
import { createRng, type Rng } from '../../env/random.js';
import {
  createHashTreeGame,
  type HashTree,
  HashTreeEvaluator,
  type HashTreeState,
} from './hash-tree-game.js';

interface GoldenNode {
  readonly logits: readonly number[];
  readonly visits: readonly number[];
  readonly qValues: readonly number[];
  readonly rawValue: number;
  readonly completed: readonly number[];
  readonly policy: readonly number[];
  readonly choice: number;
}

interface GoldenSearch extends HashTree {
  readonly consideredActions: number;
  readonly simulations: number;
  readonly gumbelScale: number;
  readonly gumbel: readonly number[];
  readonly visits: readonly number[];
  readonly qValues: readonly number[];
  readonly policy: readonly number[];
  readonly action: number;
}

/** Made by the package mctx: see mctx-golden.py beside it. */
const golden = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'mctx-golden.json'), 'utf8'),
) as {
  readonly sequences: readonly { considered: number; simulations: number; visits: readonly number[] }[];
  readonly nodes: readonly GoldenNode[];
  readonly searches: readonly GoldenSearch[];
};

/** A random stream from which a search draws exactly this Gumbel noise. */
function rngOfGumbels(gumbels: readonly number[]): Rng {
  let drawn = 0;
  return {
    ...createRng(1),
    float: () => Math.exp(-Math.exp(-gumbels[drawn++]!)),
  };
}

interface Run {
  readonly config?: Partial<GumbelSearchConfig>;
  readonly options?: Omit<SearchOptions, 'config'>;
  readonly rng?: Rng;
}

function createSearch<State>(game: Game<State>, { config, options, rng }: Run): Search<State> {
  const parsed = GumbelSearchConfig.parse({ root: 'gumbel', ...config });
  return new Search(game, { config: parsed, ...options }, rng ?? createRng(1));
}

async function finish<State>(
  game: Game<State>,
  search: Search<State>,
  state: State,
  evaluator: Evaluator,
): Promise<Float32Array> {
  search.begin(state);
  await runSearches([search], evaluator, new EvaluationBatch(game, 16));
  const policy = new Float32Array(game.maxLegalActions);
  search.readRoot();
  search.writePolicy(policy);
  return policy.slice(0, search.root.count);
}

/** The results of a search by action; 0 for illegal actions. */
function byAction(search: Search<HashTreeState>, numbers: ArrayLike<number>, numActions: number): number[] {
  const out = new Array<number>(numActions).fill(0);
  for (let i = 0; i < search.root.count; i++) out[search.root.actions[i]!] = numbers[i]!;
  return out;
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    expect(Math.abs(actual[i]! - expected[i]!), `number ${i}`).toBeLessThan(1e-5);
  }
}

/** A tree of one node with these statistics, its visited edges first, as a search leaves it. */
function treeOf({ logits, visits, qValues, rawValue }: GoldenNode): SearchTree {
  const count = logits.length;
  const tree = new SearchTree(1, 1 + count);
  const greatest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - greatest));
  const sum = powers.reduce((total, power) => total + power);
  const actions = Int32Array.from(logits, (_, action) => action);
  tree.addNode(NO_NODE, ROOT_EDGE, actions, count);
  // Visited edges in the order of their priors, in which a search tries them.
  const order = [...actions].sort(
    (a, b) => Math.sign(visits[b]!) - Math.sign(visits[a]!) || logits[b]! - logits[a]!,
  );
  tree.actions.set(order, tree.edgeStart[ROOT]);
  tree.expand(
    ROOT,
    Float32Array.from(order, (action) => powers[action]! / sum),
    0,
    rawValue,
  );
  // Undo the swap that `expand` may have made.
  order.forEach((action, place) => {
    const edge = tree.edgeStart[ROOT]! + place;
    tree.actions[edge] = action;
    tree.priors[edge] = powers[action]! / sum;
    tree.visits[edge] = visits[action]!;
    tree.totalValue[edge] = visits[action]! * qValues[action]!;
    if (visits[action]! > 0) {
      tree.triedCount[ROOT]! += 1;
      tree.triedPrior[ROOT]! += tree.priors[edge];
    }
  });
  return tree;
}

describe('sequential halving', () => {
  test.each(golden.sequences)(
    'visits $considered actions in $simulations simulations as mctx does',
    ({ considered, simulations, visits }) => {
      expect([...consideredVisits(considered, simulations)]).toEqual(visits);
    },
  );
});

describe('completed values', () => {
  test.each(golden.nodes.map((node, index) => ({ index, node })))(
    'agree with mctx at node $index',
    ({ node }) => {
      const config = GumbelSearchConfig.parse({ root: 'gumbel' });
      const tree = treeOf(node);
      const values = new CompletedValues(config);
      values.read(tree, ROOT);
      const start = tree.edgeStart[ROOT]!;
      const sigma = new Array<number>(node.logits.length);
      for (let edge = start; edge < start + node.logits.length; edge++) {
        sigma[tree.actions[edge]!] = values.sigmaOf(tree, edge);
      }
      expectClose(sigma, node.completed);
      const edge = new ImprovedSelection(config, node.logits.length).selectEdge(tree, ROOT);
      expect(tree.actions[edge]).toBe(node.choice);
    },
  );
});

describe('a search with a Gumbel root', () => {
  test.each(golden.searches.map((golden, index) => ({ index, golden })))(
    'has the visits, the policy and the move of mctx: tree $index',
    async ({ golden }) => {
      const { numActions, simulations, consideredActions, gumbelScale } = golden;
      const game = createHashTreeGame(golden);
      const legal = golden.gumbel.filter((_, action) => !golden.illegal.includes(action));
      const rng = rngOfGumbels(legal);
      const run = { config: { simulations, consideredActions }, options: { gumbelScale }, rng };
      const search = createSearch(game, run);
      const policy = await finish(game, search, game.initialState(), new HashTreeEvaluator());
      expect(byAction(search, search.root.visits, numActions)).toEqual(golden.visits);
      expectClose(
        byAction(search, search.root.qValues, numActions),
        golden.qValues.map((value, action) => (golden.visits[action] === 0 ? 0 : value)),
      );
      expectClose(byAction(search, policy, numActions), golden.policy);
      expect(search.chooseAction(policy, 1)).toBe(golden.action);
    },
  );
});

const TREE: HashTree = { root: 7, numActions: 40, illegal: [0, 1, 5, 20] };
const hashTree = createHashTreeGame(TREE);

function visited<State>({ root }: Search<State>): number[] {
  return [...root.actions.subarray(0, root.count)].filter((_, i) => root.visits[i]! > 0);
}

// test/mutation/search-faults.ts has faults that others found in Gumbel searches of their own.
describe('the move of a Gumbel root', () => {
  test('is the action with the best score of those most visited in this search', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const game = createHashTreeGame({ ...TREE, root: seed });
      // Known noise, from which the scores follow.
      const source = createRng(seed);
      const noise = Array.from({ length: 36 }, () => -Math.log(-Math.log(source.float())));
      const config = GumbelSearchConfig.parse({ root: 'gumbel', simulations: 24, consideredActions: 6 });
      const search = createSearch(game, { config, options: { gumbelScale: 1 }, rng: rngOfGumbels(noise) });
      const policy = await finish(game, search, game.initialState(), new HashTreeEvaluator());
      const { root } = search;
      const most = Math.max(...root.visits);
      // The logarithm of the improved policy is the sum of logit and value, up to a constant.
      const scores = noise.map((gumbel, i) =>
        root.visits[i] === most ? gumbel + Math.log(policy[i]!) : -Infinity,
      );
      const best = scores.indexOf(Math.max(...scores));
      expect(search.chooseAction(policy, 1)).toBe(root.actions[best]);
      expect(search.principalVariation()[0]).toBe(root.actions[best]);
    }
  });

  test.each([
    [16, 4],
    [40, 5],
    [64, 8],
  ])(
    '%i simulations of a search that does not explore consider %i actions',
    async (simulations, considered) => {
      const game = createGess();
      const search = createSearch(game, { config: { simulations: 64 }, options: { gumbelScale: 1 } });
      const state = game.initialState();
      const run = async (explores: boolean): Promise<void> => {
        search.forget(createRng(1));
        search.begin(state, { simulations, explores });
        await runSearches([search], new UniformEvaluator(), new EvaluationBatch(game, 16));
        search.readRoot();
      };
      await run(true);
      expect(visited(search)).toHaveLength(16);
      await run(false);
      expect(visited(search)).toHaveLength(considered);
    },
  );

  test('draws its noise anew for each search', async () => {
    const gess = createGess();
    const search = createSearch(gess, {
      config: { simulations: 16 },
      options: { gumbelScale: 1 },
    });
    const sets: number[][] = [];
    for (let move = 0; move < 3; move++) {
      await finish(gess, search, gess.initialState(), new UniformEvaluator());
      sets.push(visited(search));
      // Another position in between, so that none of the tree is kept.
      const other = gess.initialState();
      gess.apply(other, gess.parseAction('f6-f7'));
      search.begin(gess.parsePosition(gess.formatPosition(other)));
    }
    // 16 of 478 actions with equal priors: independent draws have few in common.
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [0, 2],
    ] as const) {
      expect(sets[a]!.filter((action) => sets[b]!.includes(action)).length).toBeLessThan(8);
    }
  });

  test('without noise does not depend on the random stream', async () => {
    const moves = [1, 2].map(async (seed) => {
      const search = createSearch(hashTree, { rng: createRng(seed) });
      const policy = await finish(hashTree, search, hashTree.initialState(), new HashTreeEvaluator());
      return [search.chooseAction(policy, 5), [...policy]];
    });
    expect(await moves[0]).toEqual(await moves[1]);
  });

  test('adds no other noise', async () => {
    const noise = { dirichletScale: 10, fraction: 0.5 };
    const runs = [{}, { noise }].map(async (options) => {
      const search = createSearch(hashTree, { options: { ...options, gumbelScale: 1 } });
      const policy = await finish(hashTree, search, hashTree.initialState(), new HashTreeEvaluator());
      return [[...search.root.priors], [...search.root.visits], [...policy]];
    });
    expect(await runs[1]).toEqual(await runs[0]);
  });
});

describe('the value to learn', () => {
  test('is the mean of the root’s value and of the completed values by the improved policy', async () => {
    // All actions have visits: no value is mixed.
    const config = { simulations: 128, consideredActions: 64 };
    const search = createSearch(hashTree, { config, options: { gumbelScale: 1 } });
    const policy = await finish(hashTree, search, hashTree.initialState(), new HashTreeEvaluator());
    const { count, visits, qValues } = search.root;
    expect(visits.subarray(0, count)).not.toContain(0);
    let ofPolicy = 0;
    for (let i = 0; i < count; i++) ofPolicy += policy[i]! * qValues[i]!;
    expect(ofPolicy).toBeGreaterThan(search.rootValue);
    expect(search.valueToLearn(policy)).toBeCloseTo((search.rootValue + ofPolicy) / 2, 5);
  });

  test('is exact where the result is proven', async () => {
    const state = connectFour.initialState();
    for (const action of [0, 6, 1, 6, 2, 6]) connectFour.apply(state, action);
    const search = createSearch(connectFour, { options: { gumbelScale: 1 } });
    const policy = await finish(connectFour, search, state, new UniformEvaluator());
    expect(search.valueToLearn(policy)).toBe(1);
  });
});

describe('values that are not rescaled', () => {
  test('are added to logits unscaled', async () => {
    const config = { simulations: 128, consideredActions: 64, rescaleValues: false, valueScale: 0.4 };
    const search = createSearch(hashTree, { config });
    const policy = await finish(hashTree, search, hashTree.initialState(), new HashTreeEvaluator());
    const { priors, qValues, visits, count } = search.root;
    const factor = 0.4 * (50 + Math.max(...visits.subarray(0, count)));
    const logit = (i: number): number => Math.log(priors[i]!) + factor * qValues[i]!;
    for (let i = 1; i < count; i++) {
      expect(Math.log(policy[i]! / policy[0]!)).toBeCloseTo(logit(i) - logit(0), 3);
    }
  });
});

describe('simulations of a Gumbel root', () => {
  test('are all spent and leave no virtual loss, with any number of leaves', async () => {
    for (const leaves of [1, 2, 3, 8, 16]) {
      const search = createSearch(hashTree, {
        config: { simulations: 100 },
        options: { leaves, gumbelScale: 1 },
      });
      const state = hashTree.initialState();
      await finish(hashTree, search, state, new HashTreeEvaluator());
      expect(search.rootVisits).toBe(100);
      expect(search.root.visits.reduce((sum, count) => sum + count)).toBe(100);
      expect(search.tree.virtualLosses.every((count) => count === 0)).toBe(true);
      expect(visited(search).length).toBe(16);
      expect(state).toEqual(hashTree.initialState());
    }
  });

  test('are divided by sequential halving, even if some were abandoned', async () => {
    const game = createHashTreeGame({ root: 3, numActions: 4, illegal: [] });
    const divisions = [1, 2, 5, 16].map(async (leaves) => {
      const search = createSearch(game, { config: { simulations: 90 }, options: { leaves } });
      await finish(game, search, game.initialState(), new HashTreeEvaluator());
      return [...search.root.visits].sort((a, b) => a - b);
    });
    const expected = new Array<number>(4).fill(0);
    for (const wanted of consideredVisits(4, 90)) expected[expected.indexOf(wanted)]! += 1;
    expected.sort((a, b) => a - b);
    expect(await Promise.all(divisions)).toEqual(divisions.map(() => expected));
  });

  test('are divided anew when the tree is kept, and use its values', async () => {
    const search = createSearch(hashTree, { config: { simulations: 64 }, options: { gumbelScale: 1 } });
    const state = hashTree.initialState();
    const evaluator = new HashTreeEvaluator();
    await finish(hashTree, search, state, evaluator);
    const before = byAction(search, search.root.visits, TREE.numActions);
    await finish(hashTree, search, state, evaluator);
    const added = byAction(search, search.root.visits, TREE.numActions).map((count, i) => count - before[i]!);
    expect(search.rootVisits).toBe(128);
    // The division by sequential halving for 16 actions.
    const most = golden.sequences.find(
      ({ considered, simulations }) => considered === 16 && simulations === 64,
    )!;
    expect(Math.max(...added)).toBe(1 + Math.max(...most.visits));
    expect(added.filter((count) => count > 0).length).toBe(16);
  });

  test('skip moves that are proven to lose', async () => {
    // Black threatens to win in column 3; all else loses for White.
    const state = connectFour.initialState();
    for (const action of [0, 6, 1, 6, 2]) connectFour.apply(state, action);
    const search = createSearch(connectFour, { options: { gumbelScale: 1 } });
    const policy = await finish(connectFour, search, state, new UniformEvaluator());
    const losing = [...search.root.proofs].map((proof) => proof === PROVEN_LOSS);
    expect(losing).toEqual([true, true, true, false, true, true, true]);
    expect([...policy]).toEqual([0, 0, 0, 1, 0, 0, 0]);
    expect(search.chooseAction(policy, 0)).toBe(3);
    const spent = search.root.visits[3]! + (search.rootVisits - search.root.visits[3]!);
    expect(spent).toBe(64);
    for (const action of [0, 1, 2, 4, 5, 6]) expect(search.root.visits[action]).toBeLessThan(8);
  });

  test('end at once with a win in one, which takes the whole policy', async () => {
    const state = connectFour.initialState();
    for (const action of [0, 6, 1, 6, 2, 6]) connectFour.apply(state, action);
    const search = createSearch(connectFour, { options: { gumbelScale: 1 } });
    const policy = await finish(connectFour, search, state, new UniformEvaluator());
    expect([...policy]).toEqual([0, 0, 0, 1, 0, 0, 0]);
    expect(search.root.proofs[3]).toBe(PROVEN_WIN);
    expect(search.chooseAction(policy, 0)).toBe(3);
    expect(search.rootValue).toBe(1);
  });

  test('leave a policy that sums to 1 when every move loses', async () => {
    const state = connectFour.initialState();
    for (const action of [2, 2, 3, 3, 4]) connectFour.apply(state, action);
    const search = createSearch(connectFour, { config: { simulations: 2000 } });
    const policy = await finish(connectFour, search, state, new UniformEvaluator());
    expect(search.rootValue).toBe(-1);
    expect(policy.reduce((sum, share) => sum + share)).toBeCloseTo(1, 5);
    expect(connectFour.isLegal(state, search.chooseAction(policy, 0))).toBe(true);
  });
});
