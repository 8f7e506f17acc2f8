import { describe, expect, test } from 'vitest';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import type { Player } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { createRng, type Rng } from '../../../env/random.js';
import { BatchPreparation } from '../../../training/learning/batch-preparation.js';
import { writeOutcomeTarget } from '../../../training/network/heads/outcome-head.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { TrainingBatch } from '../../../training/learning/training-batch.js';
import { LearnerConfig } from '../../../training/config/groups/learner-config.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { carefulSamples, rowSource } from '../network/network-fixtures.js';

const ROWS = 12;
const CONFIG = NetworkConfig.parse({ channels: 4, blocks: 1, valueHidden: 4 });

/** A random stream that always draws `value`. */
function constantRng(value: number): Rng {
  return { ...createRng(1), integer: () => value };
}

function prepare(gameId: string, rng: Rng | null): { batch: TrainingBatch; rows: number } {
  const game = createGame(gameId);
  const samples = carefulSamples(game, 3, 1).slice(0, ROWS);
  const batch = new TrainingBatch(networkShape(game, CONFIG), samples.length, game.maxLegalActions);
  // The content of an earlier batch must not show.
  const { policy, padding, legal } = batch.columns('policy');
  const { targets } = batch.columns('outcome');
  for (const values of [batch.observations, policy, padding, targets, legal]) values.fill(7);
  const source = rowSource(columnsOf(samples, game.packedSize));
  const rows = Uint32Array.from(samples.keys());
  new BatchPreparation(game, LearnerConfig.parse({ symmetries: true })).fill(batch, source, rows, rng);
  return { batch, rows: samples.length };
}

function legalOf(batch: TrainingBatch, row: number): number[] {
  const { width, padding } = batch.columns('policy');
  const columns = Array.from({ length: width }, (_, i) => row * width + i);
  return columns.filter((i) => padding[i] === 0);
}

describe.each(['gess', 'connect-four'])('%s', (gameId) => {
  test('a row holds its observation, its legal actions by policy index, and its policy', () => {
    const game = createGame(gameId);
    const samples = carefulSamples(game, 3, 1).slice(0, ROWS);
    const { batch } = prepare(gameId, null);
    const state = game.initialState();
    const observation = new Float32Array(batch.observationSize);
    samples.forEach((sample, row) => {
      game.unpack(sample.position, 0, state);
      game.observe(state, observation, 0);
      const start = row * observation.length;
      expect(batch.observations.subarray(start, start + observation.length)).toEqual(observation);
      const legal = legalOf(batch, row);
      const indices = Array.from(sample.actions, (action) => game.policyIndex(sample.player, action));
      const { legal: policyIndices, policy, weights, width } = batch.columns('policy');
      expect(legal.map((i) => policyIndices[i])).toEqual(indices);
      expect(legal.map((i) => policy[i])).toEqual(Array.from(sample.policy));
      expect(weights[row]).toBe(sample.policyWeight);
      const rest = policy.subarray(row * width + legal.length, (row + 1) * width);
      expect(rest.every((probability) => probability === 0)).toBe(true);
    });
  });

  test('each symmetry moves probabilities together with their actions', () => {
    const { symmetries } = createGame(gameId);
    const { batch: plain, rows } = prepare(gameId, null);
    symmetries.forEach(({ policyIndices }, index) => {
      const { batch } = prepare(gameId, constantRng(index));
      for (let row = 0; row < rows; row++) {
        const legal = legalOf(plain, row);
        const [turned, own] = [batch.columns('policy'), plain.columns('policy')];
        expect(legal.map((i) => turned.legal[i])).toEqual(legal.map((i) => policyIndices[own.legal[i]!]));
        expect(legal.map((i) => turned.policy[i])).toEqual(legal.map((i) => own.policy[i]));
      }
    });
  });
});

/** Steps in rows and columns of the directions N NE E SE S SW W NW, N towards higher rows. */
const STEPS = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

test.each(Array.from({ length: 8 }, (_, index) => index))(
  'in symmetry %i of Gess every legal action starts at a piece of the planes with a stone on that side',
  (index) => {
    const { batch, rows } = prepare('gess', constantRng(index));
    const plane = (row: number, line: number, column: number, number: number): number => {
      const inside = line >= 0 && line < 20 && column >= 0 && column < 20;
      return inside ? batch.observations[((row * 20 + line) * 20 + column) * 20 + number]! : 0;
    };
    const misplaced: number[] = [];
    for (let row = 0; row < rows; row++) {
      for (const i of legalOf(batch, row)) {
        const index = batch.columns('policy').legal[i]!;
        const start = Math.floor(index / 144);
        const [line, column] = [Math.floor(start / 20), start % 20];
        const [lineStep, columnStep] = STEPS[Math.floor((index % 144) / 18)]!;
        const hasStone = plane(row, line + lineStep, column + columnStep, 0) === 1;
        const isPure = [[0, 0] as const, ...STEPS].every(
          ([lines, columns]) => plane(row, line + lines, column + columns, 1) === 0,
        );
        if (!hasStone || !isPure) misplaced.push(i);
      }
    }
    expect(misplaced).toEqual([]);
  },
);

test('each row draws its own symmetry', () => {
  const draws: number[] = [];
  const rng = createRng(3);
  prepare('gess', {
    ...rng,
    integer: (bound) => {
      draws.push(bound);
      return rng.integer(bound);
    },
  });
  expect(draws).toEqual(Array.from({ length: ROWS }, () => 8));
});

test.each([
  // result, root value, share of the value, win, draw, loss, weight
  [1, 0.5, 0, 1, 0, 0, 1],
  [0, 0.5, 0, 0, 1, 0, 1],
  [-1, 0.5, 0, 0, 0, 1, 1],
  [1, 0.5, 1, 0.75, 0, 0.25, 1],
  [-1, -1, 0.25, 0, 0, 1, 1],
  [-1, 1, 0.25, 0.25, 0, 0.75, 1],
  [0, 0, 0.5, 0.25, 0.5, 0.25, 1],
  [1, NaN, 0.25, 1, 0, 0, 1],
  // A truncated game is never a draw: only the search's value counts, or nothing.
  [NO_RESULT, -0.5, 0.25, 0.25, 0, 0.75, 1],
  [NO_RESULT, -0.5, 0, 0.25, 0, 0.75, 1],
  [NO_RESULT, NaN, 0.25, NaN, NaN, NaN, 0],
])('result %d, value %d, mix %d', (result, rootValue, mix, ...expected) => {
  const out = new Float32Array(3).fill(9);
  const weight = writeOutcomeTarget({ result, rootValue }, mix, out);
  expect(weight).toBe(expected[3]);
  if (weight > 0) expect([...out]).toEqual(expected.slice(0, 3));
  expect(out[0]! + out[1]! + out[2]!).toBe(1);
});

describe('targets of the other heads', () => {
  const game = createGame('gess');
  const ringPlies = 3;
  const samples = carefulSamples(game, 5, 1);
  const network = NetworkConfig.parse({
    channels: 4,
    blocks: 1,
    movesLeft: true,
    holders: true,
    rings: true,
  });
  const filled = (rng: Rng | null, someSamples = samples): TrainingBatch => {
    const batch = new TrainingBatch(networkShape(game, network), someSamples.length, game.maxLegalActions);
    for (const { targets, weights } of [batch.columns('holders'), batch.columns('rings')]) {
      targets.fill(7);
      weights.fill(7);
    }
    const source = rowSource(columnsOf(someSamples, game.packedSize));
    const preparation = new BatchPreparation(game, LearnerConfig.parse({ symmetries: true, ringPlies }));
    preparation.fill(batch, source, Uint32Array.from(someSamples.keys()), rng);
    return batch;
  };
  const seen = (position: Uint8Array, viewer: Player): Float32Array => {
    const state = game.initialState();
    game.unpack(position, 0, state);
    const planes = new Float32Array(20 * 20 * 20);
    game.observe(state, planes, 0, viewer);
    return planes;
  };

  test('contain the plies left and the holder of each square at the end', () => {
    const batch = filled(null);
    const [movesLeft, holders] = [batch.columns('movesLeft'), batch.columns('holders')];
    samples.forEach(({ result, pliesLeft, finalPosition, player }, row) => {
      expect(movesLeft.weights[row]).toBe(result === null ? 0 : 1);
      expect(holders.weights[row]).toBe(result === null ? 0 : 1);
      if (result === null) return;
      expect(movesLeft.targets[row]).toBeCloseTo(pliesLeft / 20, 6);
      const planes = seen(finalPosition!, player);
      const expected = Array.from({ length: 400 }, (_, square) => {
        const [own, other] = [planes[square * 20]!, planes[square * 20 + 1]!];
        return [own, other, 1 - own - other];
      });
      expect([...holders.targetsOf(row)]).toEqual(expected.flat());
    });
  });

  test('contain which rings survive the next plies', () => {
    const rings = filled(null).columns('rings');
    let [known, lost] = [0, 0];
    samples.forEach(({ gameId, position, player, pliesLeft, result, finalPosition }, row) => {
      const later = samples[row + ringPlies];
      const end =
        later?.gameId === gameId
          ? later.position
          : pliesLeft <= ringPlies && result !== null
            ? finalPosition
            : null;
      const weights = rings.weightsOf(row);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      expect(total).toBeCloseTo(end === null ? 0 : 1, 4);
      if (end === null) return;
      const [now, then] = [seen(position, player), seen(end, player)];
      for (let square = 0; square < 400; square++) {
        for (const side of [0, 1]) {
          const at = square * 2 + side;
          const plane = square * 20 + 3 + side;
          const survives = now[plane] === 1 && then[plane] === 1;
          if (now[plane] === 1) known += 1;
          if (now[plane] === 1 && !survives) lost += 1;
          if (rings.targetsOf(row)[at] !== (survives ? 1 : 0))
            throw new Error(`row ${row}, square ${square}`);
        }
      }
    });
    // Some rings are lost, most are not.
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(known / 2);
  });

  test('contain which rings survive where a row between is missing', () => {
    const game = samples.filter(({ gameId }) => gameId === samples[0]!.gameId);
    const whole = filled(null, game).columns('rings');
    const without = filled(null, [game[0]!, ...game.slice(2)]).columns('rings');
    expect(without.weightsOf(0).some((weight) => weight > 0)).toBe(true);
    expect([...without.targetsOf(0)]).toEqual([...whole.targetsOf(0)]);
    expect([...without.weightsOf(0)]).toEqual([...whole.weightsOf(0)]);
    const unknown = filled(null, [...game.slice(0, ringPlies), ...game.slice(ringPlies + 1)]).columns(
      'rings',
    );
    expect(unknown.weightsOf(0).some((weight) => weight > 0)).toBe(false);
  });

  test('are transformed with the board', () => {
    const some = samples.slice(0, 3);
    const plain = filled(null, some);
    game.symmetries.forEach(({ squares }, index) => {
      const turned = filled(constantRng(index), some);
      for (const [planes, name, part] of [
        [3, 'holders', 'targets'],
        [2, 'rings', 'targets'],
        [2, 'rings', 'weights'],
      ] as const) {
        const values = plain.columns(name)[part];
        const wanted = new Float32Array(values.length);
        for (let i = 0; i < wanted.length; i++) {
          const [row, square] = [Math.floor(i / (400 * planes)), Math.floor(i / planes) % 400];
          wanted[(row * 400 + squares[square]!) * planes + (i % planes)] = values[i]!;
        }
        expect(
          Buffer.compare(Buffer.from(turned.columns(name)[part].buffer), Buffer.from(wanted.buffer)),
        ).toBe(0);
      }
    });
  });

  test('are unknown if neither the end nor later rows of the game are known', () => {
    const unknown = samples.map((sample) => ({
      ...sample,
      played: null,
      finalPosition: null,
      gameId: sample.ply,
    }));
    const batch = filled(null, unknown);
    expect(batch.columns('holders').weights.some((weight) => weight > 0)).toBe(false);
    expect(batch.columns('rings').weights.some((weight) => weight > 0)).toBe(false);
  });
});

test('without a result, the value of the last search before a random move is half of the value target', () => {
  const game = createGame('connect-four');
  // Ply 3 was random. The game was cut after ply 5, so that no row has a result.
  const values = [0.2, -0.4, 0.8, 0.6, null, -0.1];
  const samples = carefulSamples(game, 3, 1)
    .slice(0, 6)
    .map((sample, ply) => ({ ...sample, result: null, policyWeight: 1, rootValue: values[ply]! }))
    .filter(({ ply }) => ply !== 3);
  expect(samples.map(({ ply, gameId }) => [ply, gameId])).toEqual(
    [0, 1, 2, 4, 5].map((ply) => [ply, samples[0]!.gameId]),
  );
  const batch = new TrainingBatch(networkShape(game, CONFIG), samples.length, game.maxLegalActions);
  const source = rowSource(columnsOf(samples, game.packedSize));
  const config = LearnerConfig.parse({ valueMix: 0.5 });
  new BatchPreparation(game, config).fill(batch, source, Uint32Array.from(samples.keys()), null);
  const { targets } = batch.columns('outcome');
  const learnt = samples.map((_, row) => targets[3 * row]! - targets[3 * row + 2]!);
  // The players alternate. The search of ply 2 is the last before the random move, that of ply 5 before the end.
  [(0.2 + 0.8) / 2, (-0.4 - 0.8) / 2, 0.8, 0.1, -0.1].forEach((value, row) => {
    expect(learnt[row]).toBeCloseTo(value, 6);
  });
});
