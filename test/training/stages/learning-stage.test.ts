import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecords } from '../../../training/run/run-record-file.js';
import { runPaths } from '../../../training/run/run-paths.js';
import { failGess } from '../../scripts/captured-output.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

/**
 * The learning rate rises so far that weight decay, which multiplies the weights by 1 minus the rate in each step,
 * makes them infinite after a while.
 */
const DIVERGING = {
  generations: 1,
  'selfPlay.games': 8,
  'selfPlay.search.simulations': 4,
  'learner.batchSize': 8,
  'learner.maxSteps': 200,
  'learner.passes': 64,
  'learner.learningRate': 10,
  'learner.warmUpSteps': 200,
  'learner.weightDecay': 1,
  'evaluation.every': 0,
};

test('a run that diverges keeps the points of its learning curve up to then', async () => {
  const run = join(temporaryFolder(), 'run');
  const settings = Object.entries(DIVERGING).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
  const { error } = await failGess(['train', '--preset', 'tiny', '--out', run, ...settings]);
  expect(error).toMatchObject({ code: 'loss-not-finite' });
  const [curve] = await readRecords(runPaths(run), 'steps');
  expect(curve!.points.map(({ step }) => step)).toEqual([50]);
  expect(Number.isFinite(curve!.points[0]!.losses.policyLoss)).toBe(true);
}, 60_000);
