import { expect, test } from 'vitest';
import { drawDirichlet } from '../../../agents/mcts/dirichlet.js';
import { createRng } from '../../../env/random.js';

test.each([0.03, 0.3, 1, 5])('draws of alpha %d have the mean and variance of the distribution', (alpha) => {
  const count = 8;
  const draws = 4000;
  const rng = createRng(1);
  const out = new Float64Array(count);
  let squares = 0;
  const sums = new Float64Array(count);
  for (let draw = 0; draw < draws; draw++) {
    drawDirichlet(alpha, count, out, rng);
    expect(out.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    out.forEach((share, i) => {
      expect(share).toBeGreaterThanOrEqual(0);
      sums[i]! += share;
      squares += (share - 1 / count) ** 2;
    });
  }
  // For one share: mean 1 / K, variance (K - 1) / (K * K * (K * alpha + 1)).
  const variance = (count - 1) / (count * count * (count * alpha + 1));
  for (const sum of sums) {
    expect(Math.abs(sum / draws - 1 / count)).toBeLessThan(5 * Math.sqrt(variance / draws));
  }
  expect(Math.abs(squares / (draws * count) / variance - 1)).toBeLessThan(0.1);
});

test('a draw is finite and sums to 1 for the small alphas of games with many moves', () => {
  const out = new Float64Array(500);
  const rng = createRng(2);
  for (let draw = 0; draw < 50; draw++) {
    drawDirichlet(0.001, 500, out, rng);
    expect(out.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  }
});
