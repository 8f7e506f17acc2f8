import { describe, expect, test, vi } from 'vitest';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { NetworkEvaluator, type NetworkOptions } from '../../../agents/evaluators/network-evaluator.js';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import type { ConnectFourState } from '../../../env/connect-four/connect-four-position.js';
import type { Game } from '../../../env/game.js';
import { createRng } from '../../../env/random.js';
import { loadOnnxRuntime, openOnnxModel } from '../../../training/inference/onnx-session.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { createNetwork, type Network } from '../../../training/network/network.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { encodeOnnxModel } from '../../../training/network/onnx/onnx-model.js';

/** A network whose heads do not return zero. */
function randomNetwork(): Network {
  const rng = createRng(5);
  const config = NetworkConfig.parse({ channels: 8, blocks: 1, valueHidden: 8 });
  const network = createNetwork(networkShape(connectFour, config), rng);
  for (const values of network.parameters.values()) {
    for (let i = 0; i < values.length; i++) values[i] = rng.float() - 0.5;
  }
  return network;
}

const network = randomNetwork();
const legalModel = encodeOnnxModel(network, 'legal');
const policyModel = encodeOnnxModel(network, 'policy');

async function evaluatorOf(
  game: Game<ConnectFourState>,
  model: Uint8Array,
  options?: NetworkOptions,
): Promise<NetworkEvaluator> {
  return NetworkEvaluator.create(game, await openOnnxModel(model), options);
}

/** Positions of different numbers of legal actions. */
function positions(count: number): ConnectFourState[] {
  const rng = createRng(9);
  const legal = new Int32Array(7);
  return Array.from({ length: count }, (_, index) => {
    const state = connectFour.initialState();
    for (let ply = 0; ply < index % 30; ply++) {
      const actions = connectFour.legalActions(state, legal);
      connectFour.apply(state, legal[rng.integer(actions)]!);
      if (connectFour.outcome(state) !== null) connectFour.undo(state);
    }
    return state;
  });
}

/** The position with columns mirrored, by its moves. */
function mirrorImage(state: ConnectFourState): ConnectFourState {
  const mirrored = connectFour.initialState();
  for (let i = 0; i < connectFour.historyLength(state); i++) {
    connectFour.apply(mirrored, 6 - connectFour.historyAction(state, i));
  }
  return mirrored;
}

function fill(states: readonly ConnectFourState[]): EvaluationBatch {
  const batch = new EvaluationBatch(connectFour, states.length);
  for (const state of states) batch.add(connectFour, state);
  return batch;
}

function results(batch: EvaluationBatch): { priors: number[]; outcomes: number[] } {
  return {
    priors: [...batch.priors.subarray(0, batch.start[batch.size])],
    outcomes: [...batch.outcomes.subarray(0, 3 * batch.size)],
  };
}

describe('the network evaluator', () => {
  test("returns the softmax of the model's logits over the legal actions", async () => {
    const states = positions(25);
    const batch = fill(states);
    const evaluator = await evaluatorOf(connectFour, policyModel);
    await evaluator.evaluate(batch);
    const { InferenceSession, Tensor } = await loadOnnxRuntime();
    const session = await InferenceSession.create(policyModel);
    const observation = new Tensor('float32', batch.observations, [25, ...connectFour.observationShape]);
    const bare = await session.run({ observation });
    const logits = bare['policy']!.data as Float32Array;
    for (let index = 0; index < 25; index++) {
      const legal = [...batch.policyIndices.subarray(batch.start[index], batch.start[index + 1])];
      const powers = legal.map((action) => Math.exp(logits[index * 7 + action]!));
      const sum = powers.reduce((total, power) => total + power, 0);
      powers.forEach((power, i) => {
        expect(batch.priors[batch.start[index]! + i]).toBeCloseTo(power / sum, 5);
      });
    }
    await session.release();
    await evaluator.dispose();
  });

  test('returns the same for both forms of a model, in any batch, and from the cache', async () => {
    const states = positions(30);
    const expected = fill(states);
    const single = await evaluatorOf(connectFour, policyModel, { batchSize: 1 });
    await single.evaluate(expected);
    await single.dispose();
    const { priors, outcomes } = results(expected);
    for (const batchSize of [1, 3, 8, 64]) {
      const evaluator = await evaluatorOf(connectFour, legalModel, { batchSize, cacheSize: 12 });
      // In the second pass some are cached and some are not.
      for (let pass = 0; pass < 2; pass++) {
        const batch = fill(states);
        await evaluator.evaluate(batch);
        results(batch).priors.forEach((prior, i) => {
          expect(prior).toBeCloseTo(priors[i]!, 6);
        });
        results(batch).outcomes.forEach((outcome, i) => {
          expect(outcome).toBeCloseTo(outcomes[i]!, 6);
        });
      }
      expect(evaluator.evaluated + evaluator.cache.hits).toBe(60);
      await evaluator.dispose();
    }
  });

  test('evaluates a cached position without the network', async () => {
    const evaluator = await evaluatorOf(connectFour, legalModel, { cacheSize: 100 });
    const batch = fill(positions(8));
    await evaluator.evaluate(batch);
    const first = results(batch);
    const evaluated = evaluator.evaluated;
    batch.priors.fill(0);
    batch.outcomes.fill(0);
    await evaluator.evaluate(batch);
    expect(results(batch)).toEqual(first);
    expect(evaluator.evaluated).toBe(evaluated);
    await evaluator.dispose();
  });

  test('refuses a model for another game, and disposes of its session', async () => {
    const foreign = { ...connectFour, observationShape: [6, 7, 4] as const };
    await expect(evaluatorOf(foreign, legalModel)).rejects.toMatchObject({
      code: 'model-mismatch',
    });
    const moreActions = { ...connectFour, numActions: 8 };
    await expect(evaluatorOf(moreActions, policyModel)).rejects.toMatchObject({
      code: 'model-mismatch',
    });
    const session = await openOnnxModel(legalModel);
    const dispose = vi.spyOn(session, 'dispose');
    await expect(NetworkEvaluator.create(foreign, session)).rejects.toMatchObject({ code: 'model-mismatch' });
    expect(dispose).toHaveBeenCalledOnce();
  });

  test('refuses a network whose outputs are not finite', async () => {
    const broken = createNetwork(network.shape, createRng(1));
    broken.parameters.get('outcome/bias')!.fill(NaN);
    const evaluator = await evaluatorOf(connectFour, encodeOnnxModel(broken, 'legal'));
    await expect(evaluator.evaluate(fill(positions(1)))).rejects.toMatchObject({ code: 'model-not-finite' });
    await evaluator.dispose();
  });
});

describe.each([
  ['legal', legalModel],
  ['policy', policyModel],
])('averages over symmetries, model form %s', (_form, model) => {
  test('the evaluations of a board and its mirror image are mirror images', async () => {
    const states = positions(12);
    const evaluator = await evaluatorOf(connectFour, model, { symmetries: 2, batchSize: 5 });
    const batch = fill(states);
    await evaluator.evaluate(batch);
    const mirrored = fill(states.map(mirrorImage));
    await evaluator.evaluate(mirrored);
    await evaluator.dispose();
    for (let index = 0; index < states.length; index++) {
      const priors = results(batch).priors.slice(batch.start[index], batch.start[index + 1]);
      const others = results(mirrored).priors.slice(mirrored.start[index], mirrored.start[index + 1]);
      priors.forEach((prior, i) => {
        expect(others[priors.length - 1 - i]).toBeCloseTo(prior, 6);
      });
      expect(priors.reduce((sum, prior) => sum + prior, 0)).toBeCloseTo(1, 5);
    }
    results(batch).outcomes.forEach((probability, i) => {
      expect(results(mirrored).outcomes[i]).toBeCloseTo(probability, 6);
    });
  });

  test.each([1, 2, 5, 8])(
    'they are the means of the evaluations of both boards, %i in a run',
    async (batchSize) => {
      const states = positions(7);
      const [batch, mirrored, both] = [fill(states), fill(states.map(mirrorImage)), fill(states)];
      const alone = await evaluatorOf(connectFour, model);
      await alone.evaluate(batch);
      await alone.evaluate(mirrored);
      await alone.dispose();
      const evaluator = await evaluatorOf(connectFour, model, { symmetries: 2, batchSize });
      await evaluator.evaluate(both);
      await evaluator.dispose();
      results(both).outcomes.forEach((probability, i) => {
        expect(probability).toBeCloseTo((batch.outcomes[i]! + mirrored.outcomes[i]!) / 2, 6);
      });
      expect(results(batch).outcomes).not.toEqual(results(mirrored).outcomes);
    },
  );

  test('more symmetries than the game has are refused', async () => {
    await expect(evaluatorOf(connectFour, model, { symmetries: 3 })).rejects.toMatchObject({
      code: 'agent-option',
      message: 'expected symmetries from 1 to 2 in connect-four, got 3',
    });
  });
});
