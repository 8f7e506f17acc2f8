import { expect, test } from 'vitest';
import { playSpeed } from '../../../scripts/report/play-speed.js';
import { generationTimes } from '../../../scripts/report/working-time.js';
import { sumStatistics } from '../../../training/self-play/self-play-statistics.js';
import { metricsRecord } from '../../training/run/record-fixtures.js';

const effort = { seconds: 10, networkEvaluations: 1000, cacheHits: 0 };
const games = { ...sumStatistics([]), games: 20, positions: 400 };
const machines = { workers: 3, processes: 6, games: 5, failures: 0, suspended: 0 };
const record = { ...metricsRecord(1), effort, games };

test('speed and working time count the processes of all machines', () => {
  expect(playSpeed(record, 2)).toEqual({ evaluations: 200, games: 4, positions: 80 });
  expect(playSpeed({ ...record, machines }, 2)).toEqual({ evaluations: 800, games: 16, positions: 320 });
  expect(generationTimes([{ ...record, machines }], [], 2)).toMatchObject([{ selfPlay: 10 / 8 }]);
});

test('games that were played before the run was resumed have no part in the speed', () => {
  const resumed = { ...record, effort: { ...effort, games: 5, positions: 100 } };
  expect(playSpeed(resumed, 1)).toEqual({ evaluations: 100, games: 0.5, positions: 10 });
  expect(playSpeed({ ...record, effort: { ...effort, seconds: 0 } }, 1)).toBeNull();
});
