import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findEqualRows } from '../../../data/datasets/equal-rows.js';
import { ReplayWindow, type ReplayWindowOptions } from '../../../data/datasets/replay-window.js';
import type { Sample } from '../../../data/shards/sample.js';
import { sampleOfRow } from '../../../data/shards/shard-rows.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import { writeShard } from '../../../data/shards/shard.js';
import { createGame } from '../../../env/games.js';
import type { Game } from '../../../env/game.js';
import { createRng } from '../../../env/random.js';
import { LearnerConfig } from '../../../training/config/learner-config.js';
import { NetworkConfig } from '../../../training/network/network-config.js';
import { BatchPreparation } from '../../../training/learning/batch-preparation.js';
import { MergedTargets } from '../../../training/learning/merged-targets.js';
import { writeOutcomeTarget } from '../../../training/network/heads/outcome-head.js';
import { TrainingBatch } from '../../../training/learning/training-batch.js';
import { networkShape } from '../../../training/network/network-shape.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { carefulSamples } from '../network/network-fixtures.js';

const VALUE_MIX = 0.25;

/** Careful games with random policies, so that equal positions have different ones. */
function shakenSamples(game: Game<unknown>, games: number, seed: number): Sample[] {
  const rng = createRng(seed, 'policies');
  return carefulSamples(game, games, seed).map((sample) => {
    const raw = Array.from(sample.policy, () => rng.float() + 0.01);
    const sum = raw.reduce((total, value) => total + value);
    return { ...sample, policy: Float32Array.from(raw, (value) => value / sum) };
  });
}

/** A window of two shards; games with the same numbers in both are different games. */
async function windowOf(
  game: Game<unknown>,
  games: number,
  options: Partial<ReplayWindowOptions> = {},
  change: (sample: Sample) => Sample = (sample) => sample,
): Promise<ReplayWindow> {
  const folder = temporaryFolder();
  const paths = [0, 1].map((index) => join(folder, `shard-00000${index}.arrow`));
  for (const [index, path] of paths.entries()) {
    const { id, rules, rulesVersion, encodingVersion } = game;
    await writeShard(path, {
      columns: columnsOf(shakenSamples(game, games, index + 1).map(change), game.packedSize),
      metadata: {
        game: id,
        rules,
        rulesVersion,
        encodingVersion,
        seed: index + 1,
        generation: 0,
        configDigest: 'ab'.repeat(32),
        softwareVersion: '0.1.0',
      },
    });
  }
  return ReplayWindow.open(paths, { game, validationShare: 0.2, ...options });
}

/** The network's input and the legal actions of a row. */
function shown(game: Game<unknown>, sample: Sample): string {
  const [rows, columns, planes] = game.observationShape;
  const out = new Float32Array(rows * columns * planes);
  const state = game.initialState();
  game.unpack(sample.position, 0, state);
  game.observe(state, out, 0);
  return `${sample.player} ${sample.actions.join()} ${out.join()}`;
}

function sampleAt(window: ReplayWindow, row: number): Sample {
  return sampleOfRow(window.shard(row), window.index(row));
}

/** A key that is equal for equal rows only: rows that are sampled apart are not equal to the others. */
function keyOf(game: Game<unknown>, window: ReplayWindow, row: number): string {
  const isApart = row <= (window.trainingRows[window.rowsApart - 1] ?? -1);
  return `${String(isApart)} ${shown(game, sampleAt(window, row))}`;
}

/** The targets of a single row: each number multiplied by its weight, and the weights. */
function learntFrom(sample: Sample): number[] {
  const outcome = new Float32Array(3);
  const target = { result: sample.result ?? -128, rootValue: sample.rootValue ?? NaN };
  const weight = writeOutcomeTarget(target, VALUE_MIX, outcome);
  return [
    sample.policyWeight,
    weight,
    ...Array.from(sample.policy, (value) => value * sample.policyWeight),
    ...Array.from(outcome, (value) => value * weight),
  ];
}

function addTo(sums: number[], values: readonly number[], factor: number): void {
  for (const [i, value] of values.entries()) sums[i] = (sums[i] ?? 0) + value * factor;
}

const SOME_APART = { apart: { shards: 1, share: 0.3 } };

describe.each([
  ['connect-four', 24, {}],
  ['connect-four', 24, { surpriseShare: 0.7 }],
  ['connect-four', 24, { ...SOME_APART, memoryBytes: 0 }],
  ['gess', 5, { surpriseShare: 1 }],
] as const)('equal rows of %s, %i games, %o', (id, games, options) => {
  const game = createGame(id);

  test('are exactly those found', async () => {
    const window = await windowOf(game, games, options);
    const equal = findEqualRows(window, game);
    const byText = new Map<string, number[]>();
    for (const row of window.trainingRows) {
      const key = keyOf(game, window, row);
      byText.set(key, [...(byText.get(key) ?? []), row]);
    }
    let together = 0;
    for (const rows of byText.values()) {
      if (rows.length > 1) together += rows.length;
      for (const row of rows) {
        const found = equal.equals(row);
        expect(found === null ? null : Array.from(found)).toEqual(rows.length > 1 ? rows : null);
      }
    }
    expect(together).toBeGreaterThan(5);
    expect(equal.count).toBe(together);
    for (const row of window.validationRows) expect(equal.equals(row)).toBeNull();
  });

  test('have merged targets with the same sums over samples as their own targets', async () => {
    const window = await windowOf(game, games, options);
    const merged = new MergedTargets(window, findEqualRows(window, game), VALUE_MIX);
    const sums = new Map<string, { before: number[]; after: number[] }>();
    for (const row of window.trainingRows) {
      const sample = sampleAt(window, row);
      const key = keyOf(game, window, row);
      const sum = sums.get(key) ?? { before: [], after: [] };
      sums.set(key, sum);
      const chance = window.chanceOf(row);
      const own = learntFrom(sample);
      addTo(sum.before, own, chance);
      const target = merged.of(row);
      if (target === null) {
        addTo(sum.after, own, chance);
        continue;
      }
      expect(target.policy.reduce((total, value) => total + value)).toBeCloseTo(1, 5);
      expect(target.outcome.reduce((total, value) => total + value)).toBeCloseTo(1, 5);
      const together = [
        target.policyWeight,
        target.outcomeWeight,
        ...Array.from(target.policy, (value) => value * target.policyWeight),
        ...Array.from(target.outcome, (value) => value * target.outcomeWeight),
      ];
      addTo(sum.after, together, chance);
    }
    for (const { before, after } of sums.values()) {
      expect(after.length).toBe(before.length);
      const worst = Math.max(...before.map((value, i) => Math.abs(value - after[i]!)));
      expect(worst).toBeLessThan(1e-4);
    }
  });

  test('share one target, which does not depend on the cache', async () => {
    const window = await windowOf(game, games, options);
    const equal = findEqualRows(window, game);
    const large = new MergedTargets(window, equal, VALUE_MIX);
    const small = new MergedTargets(window, equal, VALUE_MIX, 300);
    const rng = createRng(4);
    for (let draw = 0; draw < 400; draw++) {
      const row = window.trainingRows[rng.integer(window.trainingRows.length)]!;
      expect(small.of(row)).toEqual(large.of(row));
      const others = equal.equals(row);
      if (others !== null) expect(large.of(others[0]!)).toBe(large.of(row));
    }
  });
});

test('rows with other legal actions are not equal, as ko rules can make them', async () => {
  const game = createGame('connect-four');
  // In every second game the last action is barred.
  const barred = (sample: Sample): Sample => {
    if (sample.gameId % 2 === 0) return sample;
    const actions = sample.actions.slice(0, -1);
    const policy = Float32Array.from(actions, () => 1 / actions.length);
    return { ...sample, actions, policy, played: null, finalPosition: null };
  };
  const window = await windowOf(game, 24, {}, barred);
  const equal = findEqualRows(window, game);
  const starts = window.trainingRows.filter((row) => sampleAt(window, row).ply === 0);
  for (const row of starts) {
    const rows = Array.from(equal.equals(row)!);
    expect(new Set(rows.map((each) => sampleAt(window, each).gameId % 2)).size).toBe(1);
  }
  expect(new Set(Array.from(starts, (row) => equal.equals(row))).size).toBe(2);
});

test("a batch has the merged policy and value in place of each row's own, whatever the symmetry", async () => {
  const game = createGame('connect-four');
  const window = await windowOf(game, 24);
  const merged = new MergedTargets(window, findEqualRows(window, game), VALUE_MIX);
  const config = LearnerConfig.parse({ valueMix: VALUE_MIX });
  const shape = networkShape(game, NetworkConfig.parse({ channels: 4, blocks: 1 }));
  const rows = window.trainingRows.slice(0, 60);
  const batch = new TrainingBatch(shape, rows.length, game.maxLegalActions);
  new BatchPreparation(game, config, merged).fill(batch, window, rows, createRng(1));
  const [actions, outcomes] = [batch.columns('policy'), batch.columns('outcome')];
  let together = 0;
  for (const [i, row] of rows.entries()) {
    const target = merged.of(row);
    const sample = sampleAt(window, row);
    if (target !== null) together += 1;
    const policy = target?.policy ?? sample.policy;
    const start = i * actions.width;
    expect(actions.policy.slice(start, start + policy.length)).toEqual(policy);
    expect(actions.weights[i]).toBe(Math.fround(target?.policyWeight ?? sample.policyWeight));
    const outcome = new Float32Array(3);
    const own = { result: sample.result ?? -128, rootValue: sample.rootValue ?? NaN };
    const weight = writeOutcomeTarget(own, VALUE_MIX, outcome);
    expect(outcomes.targetsOf(i)).toEqual(target?.outcome ?? outcome);
    expect(outcomes.weights[i]).toBe(Math.fround(target?.outcomeWeight ?? weight));
  }
  expect(together).toBeGreaterThan(5);
  expect(together).toBeLessThan(rows.length);
});
