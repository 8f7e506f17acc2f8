import { expect, test } from 'vitest';
import { LearnerConfig } from '../../../../training/config/groups/learner-config.js';
import { learningRateAt, rateShare } from '../../../../training/learning/optimizer/learning-rate.js';

test('the learning rate falls along half a cosine to its last share', () => {
  expect(rateShare(0, 0.1)).toBe(1);
  expect(rateShare(0.5, 0.1)).toBeCloseTo(0.55, 12);
  expect(rateShare(1, 0.1)).toBeCloseTo(0.1, 12);
  expect(rateShare(0.7, 1)).toBe(1);
});

test('by default it is constant', () => {
  const config = LearnerConfig.parse({});
  for (const optimizerStep of [0, 1, 77, 1e6]) {
    expect(learningRateAt(config, { optimizerStep, share: 0.9 })).toBe(config.learningRate);
  }
});

test('warm-up, drops and the cosine multiply', () => {
  const config = LearnerConfig.parse({
    learningRate: 2,
    warmUpSteps: 4,
    finalRateShare: 0,
    rateDrops: [
      { step: 3, factor: 0.5 },
      { step: 10, factor: 0.1 },
    ],
  });
  const rates = [0, 1, 2, 3, 4, 9, 10, 50].map((optimizerStep) =>
    learningRateAt(config, { optimizerStep, share: 0.5 }),
  );
  const expected = [0.25, 0.5, 0.75, 0.5, 0.5, 0.5, 0.05, 0.05];
  rates.forEach((rate, i) => {
    expect(rate).toBeCloseTo(expected[i]!, 12);
  });
});
