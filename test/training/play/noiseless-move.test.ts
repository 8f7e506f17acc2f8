import { expect, test } from 'vitest';
import { RootStatistics } from '../../../agents/mcts/root-statistics.js';
import { noiselessMove } from '../../../training/play/noiseless-move.js';

/** The move of a root whose actions 10, 11, … have these visits and this policy. */
function moveOf(visits: readonly number[], policy: readonly number[]): number {
  const root = new RootStatistics(visits.length);
  root.count = visits.length;
  root.visits.set(visits);
  root.actions.set(visits.map((_, index) => 10 + index));
  return noiselessMove(root, Float32Array.from(policy));
}

test('is the best by policy among the moves with half of the most visits or more', () => {
  expect(moveOf([40, 20, 19, 1], [0.2, 0.3, 0.4, 0.1])).toBe(11);
});

test('is a proven win, however rarely it was visited', () => {
  expect(moveOf([50, 1, 1, 1, 2, 1, 1], [0, 0, 0, 0, 1, 0, 0])).toBe(14);
});

test('is never a proven loss, and the visits of one do not exclude other moves', () => {
  expect(moveOf([1, 100, 27, 26, 1], [0.1, 0, 0.3, 0.4, 0.2])).toBe(13);
});
