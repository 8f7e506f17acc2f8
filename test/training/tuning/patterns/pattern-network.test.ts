import { expect, test } from 'vitest';
import { createGess } from '../../../../env/gess/gess.js';
import type { GessPosition } from '../../../../env/gess/gess-position.js';
import { PatternKernel } from '../../../../env/gess/heuristics/patterns/pattern-kernel.js';
import {
  OUTPUT_ONE,
  PART_NAMES,
  type PatternPart,
} from '../../../../env/gess/heuristics/patterns/pattern-weights.js';
import { createRng } from '../../../../env/random.js';
import { quantise } from '../../../../training/tuning/patterns/distillation.js';
import { PatternGradient } from '../../../../training/tuning/patterns/pattern-gradient.js';
import {
  PatternNetwork,
  type PatternParameters,
  startParameters,
} from '../../../../training/tuning/patterns/pattern-network.js';
import { type PatternRows, RowCollector } from '../../../../training/tuning/patterns/pattern-rows.js';

const game = createGess({ rules: 'eureka' });

/** Positions of random play, and their rows. */
function randomRows(count: number): { readonly states: readonly GessPosition[]; readonly rows: PatternRows } {
  const rng = createRng(3, 'rows');
  const rows = new RowCollector();
  const states: GessPosition[] = [];
  const actions = new Int32Array(game.maxLegalActions);
  let state = game.initialState();
  while (states.length < count) {
    rows.add(state, 2 * rng.float() - 1);
    states.push(game.clone(state));
    game.apply(state, actions[rng.integer(game.legalActions(state, actions))]!);
    if (game.outcome(state) !== null) state = game.initialState();
  }
  return { states, rows: rows.finish() };
}

/** Random weights at which most units are within their limits. */
function livelyParameters(seed: number): PatternParameters {
  const parameters = startParameters(createRng(seed, 'weights'));
  parameters.sumBias.fill(0.5);
  parameters.hidden1Bias.fill(0.4);
  parameters.hidden2Bias.fill(0.4);
  return parameters;
}

test('the kernel computes the network, whatever position it had before', () => {
  const { states, rows } = randomRows(300);
  const parameters = livelyParameters(1);
  const network = new PatternNetwork(parameters);
  const kernel = new PatternKernel(quantise(parameters));
  const rng = createRng(4, 'order');
  const outputs = new Set<number>();
  for (let i = 0; i < 1000; i++) {
    const index = i < states.length ? i : rng.integer(states.length);
    const { stones, rings, player } = states[index]!;
    const quantised = kernel.evaluate(stones, rings, player) / OUTPUT_ONE;
    expect(Math.abs(quantised - network.output(rows.words, index))).toBeLessThan(0.02);
    outputs.add(quantised);
  }
  expect(outputs.size).toBeGreaterThan(200);
});

test('the gradient is that of finite differences', () => {
  const { rows } = randomRows(20);
  const parameters = livelyParameters(2);
  const network = new PatternNetwork(parameters);
  const gradient = new PatternGradient();
  const slopesOf = (part: PatternPart): Float32Array =>
    part === 'windows' || part === 'places' ? gradient[part].values : gradient.dense[part];
  const step = 1e-3;
  for (let row = 0; row < rows.count; row++) {
    gradient.clear();
    network.output(rows.words, row);
    network.addGradient(1, gradient);
    for (const part of PART_NAMES) {
      const slopes = slopesOf(part);
      const steepest = slopes.reduce(
        (best, slope, index) => (Math.abs(slope) > Math.abs(slopes[best]!) ? index : best),
        0,
      );
      const weight = parameters[part][steepest]!;
      parameters[part][steepest] = weight + step;
      const up = network.output(rows.words, row);
      parameters[part][steepest] = weight - step;
      const down = network.output(rows.words, row);
      parameters[part][steepest] = weight;
      const difference = (up - down) / (2 * step) - slopes[steepest]!;
      expect(Math.abs(difference), part).toBeLessThan(0.05 * Math.abs(slopes[steepest]!) + 1e-3);
    }
  }
});
