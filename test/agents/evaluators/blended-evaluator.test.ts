import { describe, expect, test } from 'vitest';
import { AlphaBetaSearch } from '../../../agents/alpha-beta/alpha-beta-search.js';
import { isProven, toUnitValue } from '../../../agents/alpha-beta/search-values.js';
import { createAgent } from '../../../agents/create-agent.js';
import { ALPHA_BETA_SHARE, BlendedEvaluator } from '../../../agents/evaluators/blended-evaluator.js';
import { EvaluationBatch, type Evaluator } from '../../../agents/evaluators/evaluator.js';
import type { Game } from '../../../env/game.js';
import { createEvaluation, createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { openAgent } from '../../../training/export/open-agent.js';
import { HashEvaluator } from './hash-evaluator.js';
import { stateSnapshot } from '../state-snapshot.js';

const gess = createGame('gess');
const evaluation = createEvaluation(gess);

/** Positions of a random game that are not over, every fifth one. */
function positions<State>(game: Game<State>, seed: number, count: number): State[] {
  const rng = createRng(seed, 'positions');
  const legal = new Int32Array(game.maxLegalActions);
  const found: State[] = [];
  let state = game.initialState();
  while (found.length < count) {
    if (game.outcome(state) !== null) state = game.initialState();
    if (game.ply(state) % 5 === 4) found.push(game.clone(state));
    game.apply(state, legal[rng.integer(game.legalActions(state, legal))]!);
  }
  return found;
}

async function evaluated(states: readonly unknown[], evaluator: Evaluator): Promise<EvaluationBatch> {
  const batch = new EvaluationBatch(gess, states.length, evaluator);
  for (const state of states) batch.add(gess, state);
  await evaluator.evaluate(batch);
  return batch;
}

/** Evaluated with a search. */
function blended(states: readonly unknown[]): Promise<EvaluationBatch> {
  return evaluated(states, new BlendedEvaluator(gess, new HashEvaluator(), evaluation));
}

const search = new AlphaBetaSearch(gess, evaluation);

/** Positions with the values of their searches, in the unit of the evaluation. */
const SEARCHED = positions(gess, 3, 400).map((state) => ({
  state,
  found: search.search(state, { depth: 1 }).value,
}));
const OPEN = SEARCHED.filter(({ found }) => !isProven(found)).slice(0, 12);
const OPEN_STATES = OPEN.map(({ state }) => state);
const WON = SEARCHED.filter(({ found }) => found > 0 && isProven(found)).slice(0, 2);

async function valueOf(text: string): Promise<number | null | undefined> {
  const agent = await openAgent(text, gess);
  const [choice] = await agent.chooseAll([{ state: gess.initialState(), rng: createRng(1) }]);
  await agent.dispose();
  return choice!.value;
}

describe('an evaluator blended with alpha-beta', () => {
  test('mixes values by its share and keeps priors', async () => {
    const plain = await evaluated(OPEN_STATES, new HashEvaluator());
    const before = OPEN_STATES.map((state) => stateSnapshot(gess, state));
    const batch = await blended(OPEN_STATES);
    expect(OPEN_STATES.map((state) => stateSnapshot(gess, state))).toEqual(before);
    expect(batch.priors).toEqual(plain.priors);
    for (const [index, { found }] of OPEN.entries()) {
      const value = toUnitValue(found, evaluation.scale);
      const expected = (1 - ALPHA_BETA_SHARE) * plain.valueOf(index) + ALPHA_BETA_SHARE * value;
      expect(batch.valueOf(index)).toBeCloseTo(expected, 5);
      const outcome = batch.outcomes.subarray(3 * index, 3 * index + 3);
      expect(outcome.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 5);
      expect(Math.min(...outcome)).toBeGreaterThanOrEqual(0);
    }
  });

  test('takes a proven result alone', async () => {
    expect(WON).toHaveLength(2);
    const { outcomes } = await blended(WON.map(({ state }) => state));
    expect([...outcomes]).toEqual([1, 0, 0, 1, 0, 0]);
  });

  test('does not depend on the batch', async () => {
    const together = await blended(OPEN_STATES);
    for (const [index, state] of OPEN_STATES.entries()) {
      const alone = await blended([state]);
      expect(alone.valueOf(0)).toBe(together.valueOf(index));
    }
  });
});

describe('an agent with a model and a pattern network', () => {
  test('has other values than with the model alone', async () => {
    const plain = await valueOf('mcts:model=gess,simulations=4,symmetries=1');
    const value = await valueOf('mcts:model=gess,simulations=4,symmetries=1,network=gess');
    expect(value).not.toBe(plain);
    expect(Math.abs(value!)).toBeLessThan(1);
  });

  test.each([
    ['mcts:network=gess,simulations=4', 'expected network only together with model'],
    ['mcts:rollouts=1,network=gess', 'expected network only together with model'],
    ['mcts:model=gess,network=none,simulations=4', 'none'],
  ])('%s is refused', async (text, message) => {
    await expect(openAgent(text, gess)).rejects.toThrow(message);
  });

  test('is refused where files cannot be opened', async () => {
    await expect(createAgent('mcts:model=gess,network=gess', gess)).rejects.toThrow('opens models');
  });
});
