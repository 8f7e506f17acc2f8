import { describe, expect, test } from 'vitest';
import { toUnitValue } from '../../../agents/alpha-beta/alpha-beta-agent.js';
import { AlphaBetaSearch } from '../../../agents/alpha-beta/alpha-beta-search.js';
import { isProven } from '../../../agents/alpha-beta/search-values.js';
import { createAgent } from '../../../agents/create-agent.js';
import { ALPHA_BETA_SHARE, BlendedEvaluator } from '../../../agents/evaluators/blended-evaluator.js';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
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

/** Evaluated with a search. */
async function evaluate(states: readonly unknown[]): Promise<EvaluationBatch> {
  const evaluator = new BlendedEvaluator(gess, new HashEvaluator(), evaluation);
  const batch = new EvaluationBatch(gess, states.length, evaluator);
  for (const state of states) batch.add(gess, state);
  await evaluator.evaluate(batch);
  return batch;
}

/** Evaluated without a search. */
async function evaluatePlain(states: readonly unknown[]): Promise<EvaluationBatch> {
  const batch = new EvaluationBatch(gess, states.length);
  for (const state of states) batch.add(gess, state);
  await new HashEvaluator().evaluate(batch);
  return batch;
}

/** The value of the search of a position, in its own unit. */
function searched(state: unknown): number {
  return new AlphaBetaSearch(gess, evaluation).search(state, { depth: 1 }).value;
}

const ALL = positions(gess, 3, 400);
const OPEN = ALL.filter((state) => !isProven(searched(state))).slice(0, 12);
const WON = ALL.filter((state) => searched(state) > 0 && isProven(searched(state))).slice(0, 2);

async function valueOf(text: string): Promise<number | null | undefined> {
  const agent = await openAgent(text, gess);
  const [choice] = await agent.chooseAll([{ state: gess.initialState(), rng: createRng(1) }]);
  await agent.dispose();
  return choice!.value;
}

describe('an evaluator blended with alpha-beta', () => {
  test('mixes values by its share and keeps priors', async () => {
    const plain = await evaluatePlain(OPEN);
    const before = OPEN.map((state) => stateSnapshot(gess, state));
    const batch = await evaluate(OPEN);
    expect(OPEN.map((state) => stateSnapshot(gess, state))).toEqual(before);
    expect(batch.priors).toEqual(plain.priors);
    for (const [index, state] of OPEN.entries()) {
      const value = toUnitValue(searched(state), evaluation.scale);
      const expected = (1 - ALPHA_BETA_SHARE) * plain.valueOf(index) + ALPHA_BETA_SHARE * value;
      expect(batch.valueOf(index)).toBeCloseTo(expected, 5);
      const outcome = batch.outcomes.subarray(3 * index, 3 * index + 3);
      expect(outcome.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 5);
      expect(Math.min(...outcome)).toBeGreaterThanOrEqual(0);
    }
  });

  test('takes a proven result alone', async () => {
    expect(WON).toHaveLength(2);
    const { outcomes } = await evaluate(WON);
    expect([...outcomes]).toEqual([1, 0, 0, 1, 0, 0]);
  });

  test('does not depend on the batch', async () => {
    const together = await evaluate(OPEN);
    for (const [index, state] of OPEN.entries()) {
      const alone = await evaluate([state]);
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
    ['mcts:network=gess,simulations=4', 'expected a model whose positions the pattern network judges, too'],
    ['mcts:rollouts=1,network=gess', 'expected a model whose positions the pattern network judges, too'],
    ['mcts:model=gess,network=none,simulations=4', 'none'],
  ])('%s is refused', async (text, message) => {
    await expect(openAgent(text, gess)).rejects.toThrow(message);
  });

  test('is refused where files cannot be opened', async () => {
    await expect(createAgent('mcts:model=gess,network=gess', gess)).rejects.toThrow('opens models');
  });
});
