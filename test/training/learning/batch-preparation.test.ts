import { describe, expect, test } from 'vitest';
import { lambdaValues } from '../../../data/shards/lambda-values.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import type { Player } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { createRng, type Rng } from '../../../env/random.js';
import { BatchPreparation } from '../../../training/learning/batch-preparation.js';
import { writeOutcomeTarget } from '../../../training/learning/outcome-target.js';
import { networkShape } from '../../../training/network/network.js';
import { TrainingBatch } from '../../../training/learning/training-batch.js';
import { shortTermValue } from '../../../training/learning/later-targets.js';
import { LearnerConfig } from '../../../training/config/learner-config.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { carefulSamples, rowSource } from '../network/network-fixtures.js';

const ROWS = 12;
const CONFIG = NetworkConfig.parse({ channels: 4, blocks: 1, valueHidden: 4 });

/** A stream that always draws `value`. */
function constantRng(value: number): Rng {
  return { ...createRng(1), integer: () => value };
}

function prepare(gameId: string, rng: Rng | null): { batch: TrainingBatch; rows: number } {
  const game = createGame(gameId);
  const samples = carefulSamples(game, 3, 1).slice(0, ROWS);
  const batch = new TrainingBatch(networkShape(game, CONFIG), samples.length, game.maxLegalActions);
  // What an earlier batch left must not show.
  for (const values of [batch.observations, batch.policy, batch.padding, batch.outcomes]) values.fill(7);
  batch.legal.fill(7);
  const source = rowSource(columnsOf(samples, game.packedSize));
  const rows = Uint32Array.from(samples.keys());
  new BatchPreparation(game, LearnerConfig.parse({ symmetries: true })).fill(batch, source, rows, rng);
  return { batch, rows: samples.length };
}

function legalOf(batch: TrainingBatch, row: number): number[] {
  const columns = Array.from({ length: batch.width }, (_, i) => row * batch.width + i);
  return columns.filter((i) => batch.padding[i] === 0);
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
      expect(legal.map((i) => batch.legal[i])).toEqual(indices);
      expect(legal.map((i) => batch.policy[i])).toEqual(Array.from(sample.policy));
      expect(batch.policyWeights[row]).toBe(sample.policyWeight);
      const rest = batch.policy.subarray(row * batch.width + legal.length, (row + 1) * batch.width);
      expect(rest.every((probability) => probability === 0)).toBe(true);
    });
  });

  test('each symmetry carries probabilities with the actions that they belong to', () => {
    const { symmetries } = createGame(gameId);
    const { batch: plain, rows } = prepare(gameId, null);
    symmetries.forEach(({ policyIndices }, index) => {
      const { batch } = prepare(gameId, constantRng(index));
      for (let row = 0; row < rows; row++) {
        const legal = legalOf(plain, row);
        expect(legal.map((i) => batch.legal[i])).toEqual(legal.map((i) => policyIndices[plain.legal[i]!]));
        expect(legal.map((i) => batch.policy[i])).toEqual(legal.map((i) => plain.policy[i]));
      }
    });
  });
});

/** Rows and columns that directions N NE E SE S SW W NW lead over, N towards higher rows. */
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
        const start = Math.floor(batch.legal[i]! / 144);
        const [line, column] = [Math.floor(start / 20), start % 20];
        const [lineStep, columnStep] = STEPS[Math.floor((batch.legal[i]! % 144) / 18)]!;
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

test('symmetries are drawn for each row', () => {
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
  // A truncated game is never a draw: the search's value counts alone, or nothing does.
  [NO_RESULT, -0.5, 0.25, 0.25, 0, 0.75, 1],
  [NO_RESULT, -0.5, 0, 0.25, 0, 0.75, 1],
  [NO_RESULT, NaN, 0.25, NaN, NaN, NaN, 0],
])('result %d, value %d, mix %d', (result, rootValue, mix, ...expected) => {
  const out = new Float32Array(5).fill(9);
  const weight = writeOutcomeTarget({ result, rootValue }, mix, out, 1);
  expect(weight).toBe(expected[3]);
  if (weight > 0) expect([...out.subarray(1, 4)]).toEqual(expected.slice(0, 3));
  expect(out[1]! + out[2]! + out[3]!).toBe(1);
  expect([out[0], out[4]]).toEqual([9, 9]);
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
    for (const values of [batch.holders, batch.rings, batch.ringsWeights]) values.fill(7);
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

  test('say how many plies are left and who holds each square at the end', () => {
    const batch = filled(null);
    samples.forEach(({ result, pliesLeft, finalPosition, player }, row) => {
      expect(batch.movesLeftWeights[row]).toBe(result === null ? 0 : 1);
      expect(batch.holdersWeights[row]).toBe(result === null ? 0 : 1);
      if (result === null) return;
      expect(batch.movesLeft[row]).toBeCloseTo(pliesLeft / 20, 6);
      const planes = seen(finalPosition!, player);
      const expected = Array.from({ length: 400 }, (_, square) => {
        const [own, other] = [planes[square * 20]!, planes[square * 20 + 1]!];
        return [own, other, 1 - own - other];
      });
      expect([...batch.holders.subarray(row * 1200, (row + 1) * 1200)]).toEqual(expected.flat());
    });
  });

  test('say which rings are still there some plies later', () => {
    const batch = filled(null);
    let [known, lost] = [0, 0];
    samples.forEach(({ gameId, position, player, pliesLeft, result, finalPosition }, row) => {
      const later = samples[row + ringPlies];
      const end =
        later?.gameId === gameId
          ? later.position
          : pliesLeft <= ringPlies && result !== null
            ? finalPosition
            : null;
      const weights = batch.ringsWeights.subarray(row * 800, (row + 1) * 800);
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
          if (batch.rings[row * 800 + at] !== (survives ? 1 : 0))
            throw new Error(`row ${row}, square ${square}`);
        }
      }
    });
    // Some rings are lost, most are not.
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(known / 2);
  });

  test('are turned with the board', () => {
    const some = samples.slice(0, 3);
    const plain = filled(null, some);
    game.symmetries.forEach(({ squares }, index) => {
      const turned = filled(constantRng(index), some);
      for (const [planes, name] of [
        [3, 'holders'],
        [2, 'rings'],
        [2, 'ringsWeights'],
      ] as const) {
        const wanted = new Float32Array(plain[name].length);
        for (let i = 0; i < wanted.length; i++) {
          const [row, square] = [Math.floor(i / (400 * planes)), Math.floor(i / planes) % 400];
          wanted[(row * 400 + squares[square]!) * planes + (i % planes)] = plain[name][i]!;
        }
        expect(Buffer.compare(Buffer.from(turned[name].buffer), Buffer.from(wanted.buffer))).toBe(0);
      }
    });
  });

  test('are not known in rows of version 1', () => {
    const old = samples.map((sample) => ({
      ...sample,
      played: null,
      finalPosition: null,
      gameId: sample.ply,
    }));
    const { holdersWeights, ringsWeights } = filled(null, old);
    expect(holdersWeights.some((weight) => weight > 0)).toBe(false);
    expect(ringsWeights.some((weight) => weight > 0)).toBe(false);
  });
});

describe.each(['gess', 'connect-four'])('targets from later rows of %s', (gameId) => {
  const game = createGame(gameId);
  const samples = carefulSamples(game, 5, 1);
  const network = NetworkConfig.parse({ channels: 4, blocks: 1, reply: true, shortTerm: true });
  const filled = (rng: Rng | null, someSamples = samples): TrainingBatch => {
    const batch = new TrainingBatch(networkShape(game, network), someSamples.length, game.maxLegalActions);
    const { legal, padding, policy, weights } = batch.reply!;
    // What an earlier batch left must not show.
    for (const values of [legal, padding, policy, weights, batch.shortTerm, batch.shortTermWeights])
      values.fill(7);
    const source = rowSource(columnsOf(someSamples, game.packedSize));
    new BatchPreparation(game, LearnerConfig.parse({ symmetries: true })).fill(
      batch,
      source,
      Uint32Array.from(someSamples.keys()),
      rng,
    );
    return batch;
  };
  /** Known replies of a row: policy index and probability. */
  const replyOf = ({ reply }: TrainingBatch, row: number): [number, number][] => {
    const { width, padding, legal, policy } = reply!;
    const columns = Array.from({ length: width }, (_, i) => row * width + i);
    return columns.filter((i) => padding[i] === 0).map((i) => [legal[i]!, policy[i]!]);
  };

  test('the reply is what the next row learns, as the mover sees the board', () => {
    const batch = filled(null);
    let known = 0;
    samples.forEach((sample, row) => {
      const next = samples[row + 1];
      const weight = next?.gameId === sample.gameId ? next.policyWeight : 0;
      expect(batch.reply!.weights[row]).toBe(weight);
      const total = batch.reply!.policy.subarray(row * batch.reply!.width, (row + 1) * batch.reply!.width);
      expect(total.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 4);
      if (weight === 0) return;
      known += 1;
      const expected = Array.from(next!.actions, (action, i) => [
        game.policyIndex(sample.player, action),
        next!.policy[i]!,
      ]);
      expect(replyOf(batch, row)).toEqual(expected);
    });
    expect(known).toBeGreaterThan(samples.length / 2);
    expect(known).toBeLessThan(samples.length);
  });

  test('the reply is turned with the board', () => {
    const some = samples.slice(0, 6);
    const plain = filled(null, some);
    game.symmetries.forEach(({ policyIndices }, index) => {
      const turned = filled(constantRng(index), some);
      for (const row of some.keys()) {
        if (plain.reply!.weights[row] === 0) continue;
        const wanted = replyOf(plain, row).map(([at, probability]) => [policyIndices[at], probability]);
        expect(replyOf(turned, row)).toEqual(wanted);
      }
    });
  });

  test('the next ply of another game is no reply', () => {
    // As where the game after it begins in the middle of an earlier one.
    const border = 4;
    const some = samples
      .slice(0, 9)
      .map((sample, row) => ({ ...sample, policyWeight: 1, gameId: row < border ? 1 : 2 }));
    const { weights } = filled(null, some).reply!;
    expect([...weights]).toEqual([1, 1, 1, 0, 1, 1, 1, 1, 0]);
  });

  test('rows whose next ply is missing have no reply', () => {
    const { weights } = filled(
      null,
      samples.filter((_, row) => row % 2 === 0),
    ).reply!;
    expect(weights.every((weight) => weight === 0)).toBe(true);
  });

  test('the value some plies later is the lambda value of the next row', () => {
    const batch = filled(null);
    const values = lambdaValues(samples, 1 - 1 / 8);
    let known = 0;
    samples.forEach((sample, row) => {
      const next = samples[row + 1];
      const seen = next?.gameId === sample.gameId ? values[row + 1]! : null;
      const later = seen === null ? sample.result : next!.player === sample.player ? seen : -seen;
      expect(batch.shortTermWeights[row]).toBe(later === null ? 0 : 1);
      if (later === null) return;
      known += 1;
      // What is too far away to matter is left out.
      expect(Math.abs(batch.shortTerm[row]! - (1 + later) / 2)).toBeLessThan(0.015);
    });
    expect(known).toBeGreaterThan(samples.length / 2);
  });
});

test('a value one ply later is the next root value, and behind the last row the result', () => {
  const game = createGame('connect-four');
  const samples = carefulSamples(game, 4, 2);
  const columns = columnsOf(samples, game.packedSize);
  samples.forEach((sample, row) => {
    const next = samples[row + 1];
    const isLast = next?.gameId !== sample.gameId;
    if (!isLast && next.rootValue === null) return;
    const expected = isLast ? sample.result : -next.rootValue!;
    const value = shortTermValue(columns, row, 1);
    expect(Number.isNaN(value) ? null : value).toEqual(
      expected === null ? null : expect.closeTo(expected, 6),
    );
  });
});
