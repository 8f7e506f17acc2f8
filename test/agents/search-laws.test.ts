import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import { runSearches } from '../../agents/mcts/driver.js';
import { edgeOfAction } from '../../agents/mcts/best-edge.js';
import { PROVEN_LOSS, UNPROVEN } from '../../agents/mcts/proof.js';
import { NO_NODE, ROOT, ROOT_EDGE } from '../../agents/mcts/search-tree.js';
import { Search } from '../../agents/mcts/search.js';
import { SearchConfig } from '../../agents/search-config.js';
import { connectFour } from '../../env/connect-four/connect-four.js';
import type { Game } from '../../env/game.js';
import { createGess } from '../../env/gess/gess.js';
import { createQuess } from '../../env/quess/quess.js';
import { createRng, type Rng } from '../../env/random.js';
import { HashEvaluator } from './evaluators/hash-evaluator.js';
import { dumpTree, treeFaults } from './search-tree-laws.js';
import { stateSnapshot } from './state-snapshot.js';

const PUCT = fc.record({
  root: fc.constant('puct' as const),
  decisiveMoves: fc.boolean(),
  simulations: fc.integer({ min: 1, max: 120 }),
  exploration: fc.double({ min: 0.1, max: 5, noNaN: true }),
  firstPlayReduction: fc.double({ min: 0, max: 1, noNaN: true }),
});
const GUMBEL = fc.record({
  root: fc.constant('gumbel' as const),
  decisiveMoves: fc.boolean(),
  simulations: fc.integer({ min: 1, max: 120 }),
  consideredActions: fc.integer({ min: 1, max: 20 }),
});
const OPTIONS = fc.record({
  config: fc.oneof(PUCT, GUMBEL),
  leaves: fc.integer({ min: 1, max: 9 }),
  gumbelScale: fc.constantFrom(0, 1),
  isNoisy: fc.boolean(),
  /** The default, or so few that the tree is soon full. */
  maxEdges: fc.constantFrom(undefined, 1500),
});
const EFFORT = fc.record(
  {
    simulations: fc.integer({ min: 1, max: 80 }),
    nodes: fc.integer({ min: 2, max: 80 }),
    explores: fc.boolean(),
  },
  { requiredKeys: [] },
);
const SCENARIO = fc.record({
  options: OPTIONS,
  efforts: fc.array(EFFORT, { minLength: 1, maxLength: 4 }),
  opening: fc.nat(12),
  seed: fc.nat(1000),
});
type Scenario = typeof SCENARIO extends fc.Arbitrary<infer Value> ? Value : never;

function createSearch<State>(game: Game<State>, { options, seed }: Scenario): Search<State> {
  const { config, isNoisy, maxEdges, ...rest } = options;
  return new Search(
    game,
    {
      ...rest,
      config: SearchConfig.parse(config),
      ...(isNoisy && { noise: { dirichletScale: 10, fraction: 0.25 } }),
      ...(maxEdges !== undefined && { maxEdges }),
    },
    createRng(seed, 'search'),
  );
}

/** Plays up to `plies` random moves that do not end the game. */
function playOpening<State>(game: Game<State>, state: State, plies: number, rng: Rng): void {
  const legal = new Int32Array(game.maxLegalActions);
  for (let ply = 0; ply < plies; ply++) {
    game.apply(state, legal[rng.integer(game.legalActions(state, legal))]!);
    if (game.outcome(state) === null) continue;
    game.undo(state);
    return;
  }
}

/** Checks the laws of a finished search, of its policy and of its move. */
function checkRoot<State>(game: Game<State>, state: State, search: Search<State>): number {
  const root = search.readRoot();
  expect(root.visits.subarray(0, root.count).reduce((sum, count) => sum + count, 0)).toBe(search.rootVisits);
  expect(Math.abs(search.rootValue)).toBeLessThanOrEqual(1);
  const policy = new Float32Array(game.maxLegalActions);
  search.writePolicy(policy);
  expect(policy.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 4);
  const allLost = root.proofs.subarray(0, root.count).every((proof) => proof === PROVEN_LOSS);
  for (let i = 0; i < root.count; i++) {
    expect(policy[i]!).toBeGreaterThanOrEqual(0);
    if (root.proofs[i] === PROVEN_LOSS && !allLost) expect(policy[i]).toBe(0);
  }
  const action = search.chooseAction(policy, 0.5);
  expect(game.isLegal(state, action)).toBe(true);
  expect(allLost || root.proofs[root.indexOf(action)] !== PROVEN_LOSS).toBe(true);
  return action;
}

/** Searches and plays by the scenario, and checks every search. */
async function playScenario<State>(game: Game<State>, scenario: Scenario): Promise<void> {
  const rng = createRng(scenario.seed, 'opening');
  const state = game.initialState();
  playOpening(game, state, scenario.opening, rng);
  const search = createSearch(game, scenario);
  const batch = new EvaluationBatch(game, 9);
  let kept = '';
  let wasFull = false;
  for (const effort of scenario.efforts) {
    const before = stateSnapshot(game, state);
    search.begin(state, effort);
    // The kept tree is the whole tree, unchanged but for noise in the priors and newly found wins in one.
    if (!scenario.options.isNoisy) expect(dumpTree(search.tree, ROOT, false)).toBe(kept);
    const visitsBefore = search.rootVisits;
    await runSearches([search], new HashEvaluator(), batch);
    expect(stateSnapshot(game, state)).toEqual(before);
    wasFull ||= !search.tree.hasRoom(game.maxLegalActions);
    expect(treeFaults(search.tree, wasFull)).toEqual([]);
    const action = checkRoot(game, state, search);
    expect(search.rootVisits - visitsBefore).toBe(search.simulations);
    const isEnded = search.tree.proofs[ROOT_EDGE] !== UNPROVEN || effort.nodes !== undefined;
    if (!isEnded) expect(search.simulations).toBe(search.simulationLimit);
    expect(search.simulations).toBeLessThanOrEqual(search.simulationLimit);
    const edge = edgeOfAction(search.tree, ROOT, action);
    const child = search.tree.children[edge]!;
    kept = child === NO_NODE ? '' : dumpTree(search.tree, child, false);
    game.apply(state, action);
    if (game.outcome(state) !== null || game.ply(state) >= game.plyLimit) return;
  }
}

describe('a search keeps its laws under any settings', () => {
  test.each([
    ['Connect Four', connectFour, 50],
    ['Quess', createQuess(), 20],
    ['Gess', createGess(), 8],
  ] as const)('in %s', async (_name, game, numRuns) => {
    await fc.assert(
      fc.asyncProperty(SCENARIO, (scenario) => playScenario(game as Game<unknown>, scenario)),
      { numRuns },
    );
  });
});
