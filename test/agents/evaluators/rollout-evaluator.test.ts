import { describe, expect, test } from 'vitest';
import { createAgent } from '../../../agents/create-agent.js';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { RolloutEvaluator } from '../../../agents/evaluators/rollout-evaluator.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import type { ConnectFourState } from '../../../env/connect-four/connect-four-position.js';
import { createRng } from '../../../env/random.js';
import { stateSnapshot } from '../state-snapshot.js';

/** A position after `plies` random moves that is not over. */
function late(seed: number, plies: number): ConnectFourState {
  const rng = createRng(seed, 'late');
  const legal = new Int32Array(7);
  for (;;) {
    const state = connectFour.initialState();
    while (connectFour.outcome(state) === null && connectFour.ply(state) < plies) {
      connectFour.apply(state, legal[rng.integer(connectFour.legalActions(state, legal))]!);
    }
    if (connectFour.outcome(state) === null) return state;
  }
}

/** The exact results of uniformly random play to player 0: win, draw, loss. */
function expected(state: ConnectFourState): number[] {
  const outcome = connectFour.outcome(state);
  if (outcome !== null) return [1, 0, -1].map((result) => (result === outcome ? 1 : 0));
  const legal = new Int32Array(7);
  const count = connectFour.legalActions(state, legal);
  const sum = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    connectFour.apply(state, legal[i]!);
    expected(state).forEach((share, place) => (sum[place]! += share / count));
    connectFour.undo(state);
  }
  return sum;
}

async function evaluate(states: readonly ConnectFourState[], rollouts: number): Promise<EvaluationBatch> {
  const batch = new EvaluationBatch(connectFour, states.length, { readsInputs: false, readsStates: true });
  for (const state of states) batch.add(connectFour, state);
  await new RolloutEvaluator(connectFour, rollouts).evaluate(batch);
  return batch;
}

describe('an evaluation by random games', () => {
  test('approximates the results of random play, to the player to move', async () => {
    for (let seed = 0; seed < 12; seed++) {
      const state = late(seed, 34 + (seed % 2));
      const before = stateSnapshot(connectFour, state);
      const { outcomes, priors } = await evaluate([state], 2000);
      expect(stateSnapshot(connectFour, state)).toEqual(before);
      const truth = expected(state);
      if (connectFour.currentPlayer(state) === 1) truth.reverse();
      // Five standard deviations of the mean of 2,000 draws.
      truth.forEach((share, place) => {
        expect(Math.abs(outcomes[place]! - share)).toBeLessThan(0.056);
      });
      const count = connectFour.countLegalActions(state);
      expect([...priors.subarray(0, count)]).toEqual(new Array(count).fill(Math.fround(1 / count)));
    }
  });

  test('of a position is the same in any batch', async () => {
    const states = [5, 6, 7, 8].map((plies) => late(3, plies));
    const together = await evaluate(states, 5);
    for (const [index, state] of states.entries()) {
      const alone = await evaluate([state], 5);
      expect([...alone.outcomes]).toEqual([...together.outcomes.subarray(3 * index, 3 * index + 3)]);
    }
    expect(new Set([0, 1, 2, 3].map((index) => together.outcomes[3 * index])).size).toBeGreaterThan(1);
  });

  test('counts a game truncated at the ply limit as a draw', async () => {
    const cut = { ...connectFour, plyLimit: 3 };
    const batch = new EvaluationBatch(cut, 1, { readsInputs: false, readsStates: true });
    batch.add(cut, cut.initialState());
    await new RolloutEvaluator(cut, 4).evaluate(batch);
    expect([...batch.outcomes]).toEqual([0, 1, 0]);
  });

  test('makes an agent that finds a win two moves ahead', async () => {
    const agent = await createAgent('mcts:rollouts=2,simulations=300', connectFour);
    // The player who plays column 3 next has three in a row with both ends open.
    const state = connectFour.initialState();
    for (const action of [2, 0, 4, 0]) connectFour.apply(state, action);
    const [choice] = await agent.chooseAll([{ state, rng: createRng(1) }]);
    expect(choice!.action).toBe(3);
    expect(choice!.value).toBeGreaterThan(0.5);
    await agent.dispose();
  });
});
