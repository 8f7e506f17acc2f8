import { expect, test } from 'vitest';
import { createRng } from '../../../../env/random.js';
import { GradientNoise } from '../../../../training/learning/optimizer/gradient-noise.js';

/** Estimates from gradients of batches of `batch` samples: `signal` in every weight plus noise per sample. */
function estimate(batch: number, signal: number, deviation: number): number | null {
  const rng = createRng(3, 'noise');
  const noise = new GradientNoise(new Float32Array(200));
  const gradient = new Float32Array(200);
  for (let step = 0; step < 400; step++) {
    for (let i = 0; i < gradient.length; i++) {
      // Uniform numbers of variance 1.
      gradient[i] = signal + (deviation / Math.sqrt(batch)) * (rng.float() - 0.5) * Math.sqrt(12);
    }
    noise.add(gradient);
  }
  return noise.scale(batch);
}

test('the noise scale is the variance of a sample over the square of the signal, whatever the batch size', () => {
  for (const batch of [16, 64]) {
    expect(estimate(batch, 0.1, 1)).toBeGreaterThan(95);
    expect(estimate(batch, 0.1, 1)).toBeLessThan(105);
  }
  expect(estimate(32, 1, 0)).toBeCloseTo(0, 2);
});

test('too few steps give no estimate', () => {
  const noise = new GradientNoise(new Float32Array(1));
  expect(noise.scale(8)).toBeNull();
  noise.add(Float32Array.of(1));
  expect(noise.scale(8)).toBeNull();
  noise.add(Float32Array.of(-1));
  // Opposite gradients: no signal.
  expect(noise.scale(8)).toBeNull();
});
