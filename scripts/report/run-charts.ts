import { MAX_ENTRIES } from '../../training/config/groups/setting-limits.js';
import { HEADS } from '../../training/network/heads/head-table.js';
import type { LearnerLosses } from '../../training/learning/loss-means.js';
import { ladderOfRun } from '../../training/run/measures/run-ladder.js';
import {
  type AccuracyRecord,
  type EvaluationRecord,
  generationOfKey,
  type MetricsRecord,
} from '../../training/run/run-records.js';
import { scoreOfElo } from '../../training/statistics/elo.js';
import type { Chart, Curve, CurvePoint } from './chart.js';
import { ladderChart } from './ladder-chart.js';
import { playSpeed } from './play-speed.js';
import { generationTimes, hoursByGeneration } from './working-time.js';

/** The records of a run that are drawn. */
export interface RunRecords {
  readonly metrics: readonly MetricsRecord[];
  readonly evaluations: readonly EvaluationRecord[];
  readonly accuracies: readonly AccuracyRecord[];
  /** Processes of the run's machine that play at once. Defaults to 1. */
  readonly processes?: number;
}

type Reading = (record: MetricsRecord) => number | null | undefined;

const PERCENT: readonly [number, number] = [0, 100];

function curveOf(name: string, metrics: readonly MetricsRecord[], read: Reading): Curve {
  const points = metrics.flatMap((record): CurvePoint[] => {
    const value = read(record);
    return typeof value === 'number' && Number.isFinite(value)
      ? [{ generation: record.generation, value }]
      : [];
  });
  return { name, points };
}

function metricsChart(
  { metrics }: RunRecords,
  frame: Omit<Chart, 'curves'>,
  readings: Readonly<Record<string, Reading>>,
): Chart {
  return { ...frame, curves: Object.entries(readings).map(([name, read]) => curveOf(name, metrics, read)) };
}

/** Expected score in percent at an Elo difference, and `unbounded` for an open end of an interval. */
function scoreAt(elo: number | null, unbounded: number): number {
  return elo === null ? unbounded : 100 * scoreOfElo(elo);
}

/**
 * The newest keys of records, each of which has a curve: at most as many as a configuration has opponents, since a
 * damaged or forged file may have thousands.
 */
function drawnKeys(records: readonly { readonly key: string }[]): readonly string[] {
  return [...new Set(records.map(({ key }) => key))].slice(-MAX_ENTRIES);
}

function matchesChart({ evaluations }: RunRecords): Chart {
  // Matches with earlier generations are left out: there are many, and the ratings include them.
  const opponents = drawnKeys(evaluations.filter(({ key }) => generationOfKey(key) === null));
  const curves = opponents.map((name): Curve => {
    const records = evaluations.filter(({ key }) => key === name);
    return {
      name,
      points: records.map(({ generation, score, eloLow, eloHigh }) => ({
        generation,
        value: 100 * score,
        low: scoreAt(eloLow, 0),
        high: scoreAt(eloHigh, 100),
      })),
    };
  });
  return { title: 'Points in matches, with 95 % interval', unit: '%', range: PERCENT, curves };
}

function timesOf({ metrics, evaluations, processes = 1 }: RunRecords): ReturnType<typeof generationTimes> {
  return generationTimes(metrics, evaluations, processes);
}

/** Ratings of the generations by their matches, if there are any: over generations, and over working hours. */
function ratingsCharts(records: RunRecords): readonly Chart[] {
  const ladder = ladderOfRun(records.evaluations);
  const chart = ladder && ladderChart(ladder.standings);
  if (chart === null) return [];
  if (records.metrics.length === 0) return [chart];
  const hours = hoursByGeneration(timesOf(records));
  const curves = chart.curves.map((curve) => ({
    ...curve,
    points: curve.points.flatMap((point) => {
      const at = hours.get(point.generation);
      return at === undefined ? [] : [{ ...point, at }];
    }),
  }));
  return [chart, { ...chart, title: 'Ratings over working time', axis: 'hours', curves }];
}

function accuracyChart({ accuracies }: RunRecords): Chart {
  const curves = drawnKeys(accuracies).map((name): Curve => {
    const records = accuracies.filter(({ key }) => key === name);
    const points = records.map(({ generation, best, positions }) => {
      return { generation, value: (100 * best) / positions };
    });
    return { name, points };
  });
  return { title: 'Best moves found in solved positions', unit: '%', range: PERCENT, curves };
}

const percent = (share: number | null | undefined): number | null | undefined =>
  typeof share === 'number' ? 100 * share : share;

/** The loss of each head; that of the policy beside the least possible one. */
function lossCharts(records: RunRecords): readonly Chart[] {
  return HEADS.map(({ label, title }): Chart => {
    const name = `${label}Loss` as keyof LearnerLosses;
    const least: Readonly<Record<string, Reading>> =
      label === 'policy'
        ? { 'least possible: entropy of the targets': ({ learning }) => learning.training.targetEntropy }
        : {};
    return metricsChart(
      records,
      { title: `Loss: ${title}`, unit: 'nats' },
      {
        'samples drawn': ({ learning }) => learning.training[name],
        'games held back': ({ learning }) => learning.validation?.[name],
        ...least,
      },
    );
  });
}

/** The values that the newest network predicts, against the results. */
function calibrationCharts(records: RunRecords): readonly Chart[] {
  const newest = records.metrics.findLast(
    ({ learning }) => (learning.validation?.calibration ?? null) !== null,
  );
  const bins = newest?.learning.validation?.calibration?.bins ?? [];
  const generation = newest?.generation ?? 0;
  const point = (at: number, value: number): CurvePoint => ({ generation, at, value });
  return [
    {
      title: 'Calibration of the value',
      unit: 'mean result, -1 to 1',
      axis: 'predicted value',
      range: [-1, 1],
      note: 'Positions of held-back games by the predicted value. On the diagonal, predictions equal results.',
      curves:
        bins.length === 0
          ? []
          : [
              {
                name: `generation ${generation}`,
                points: bins.map(({ meanValue, meanResult }) => point(meanValue, meanResult)),
              },
              { name: 'perfect', isLevel: true, points: [point(-1, -1), point(1, 1)] },
            ],
    },
    metricsChart(
      records,
      { title: 'Error of the calibration', unit: 'value' },
      { 'mean distance of value and result': ({ learning }) => learning.validation?.calibration?.error },
    ),
  ];
}

function gamesCharts(records: RunRecords): readonly Chart[] {
  const share =
    (count: (games: MetricsRecord['games']) => number): Reading =>
    ({ games }) =>
      (100 * count(games)) / games.games;
  return [
    metricsChart(
      records,
      { title: 'Length of games', unit: 'plies' },
      {
        mean: ({ games }) => games.plies / games.games,
        shortest: ({ games }) => games.shortestPlies,
        longest: ({ games }) => games.longestPlies,
      },
    ),
    metricsChart(
      records,
      {
        title: 'Distinct positions of the games',
        unit: '% of positions',
        range: PERCENT,
        note: 'A low share means that games repeat each other: more opening plies, or a higher temperature of them, help.',
      },
      {
        distinct: ({ distinctPositions = NaN, games }) => (100 * distinctPositions) / games.positions,
      },
    ),
    metricsChart(
      records,
      { title: 'Results of self-play', unit: '% of games', range: PERCENT },
      {
        'won by the first player': share(({ wins }) => wins),
        drawn: share(({ draws }) => draws),
        'without a result': share(({ truncated }) => truncated),
      },
    ),
  ];
}

/** Speed, and where time went. */
function timeCharts(records: RunRecords): readonly Chart[] {
  const { processes = 1 } = records;
  const times = timesOf(records);
  const shareOf = (name: string, part: (time: (typeof times)[number]) => number): Curve => ({
    name,
    points: times.flatMap((time) => {
      const sum = time.selfPlay + time.learning + time.matches;
      return sum === 0 ? [] : [{ generation: time.generation, value: (100 * part(time)) / sum }];
    }),
  });
  return [
    {
      title: 'Where time went',
      unit: '% of working time',
      range: PERCENT,
      curves: [
        shareOf('self-play', ({ selfPlay }) => selfPlay),
        shareOf('learning', ({ learning }) => learning),
        shareOf('matches', ({ matches }) => matches),
      ],
    },
    metricsChart(
      records,
      { title: 'Speed of self-play', unit: 'a second' },
      {
        'network evaluations': (record) => playSpeed(record, processes)?.evaluations,
        positions: (record) => playSpeed(record, processes)?.positions,
      },
    ),
    metricsChart(
      records,
      { title: 'Speed of learning', unit: 'samples a second' },
      { samples: ({ learning }) => learning.samplesPerSecond },
    ),
    metricsChart(
      records,
      { title: 'Memory', unit: 'MiB' },
      {
        'process of the run': ({ residentBytes }) => residentBytes / 2 ** 20,
        'processes that play': ({ workerBytes }) => (workerBytes === null ? null : workerBytes / 2 ** 20),
      },
    ),
  ];
}

/** The learning curves of a run, without empty ones. */
export function runCharts(records: RunRecords): readonly Chart[] {
  const charts: readonly Chart[] = [
    ...ratingsCharts(records),
    matchesChart(records),
    accuracyChart(records),
    ...lossCharts(records),
    metricsChart(
      records,
      {
        title: 'Entropy of the policy',
        unit: 'nats',
        note: 'How uncertain the network and its targets are.',
      },
      {
        network: ({ learning }) => learning.training.policyEntropy,
        targets: ({ learning }) => learning.training.targetEntropy,
      },
    ),
    metricsChart(
      records,
      { title: 'Rows whose most probable move the network finds', unit: '%', range: PERCENT },
      {
        'samples drawn': ({ learning }) => percent(learning.training.policyAccuracy),
        'games held back': ({ learning }) => percent(learning.validation?.policyAccuracy),
      },
    ),
    ...calibrationCharts(records),
    ...gamesCharts(records),
    ...timeCharts(records),
  ];
  return charts
    .map((chart) => ({ ...chart, curves: chart.curves.filter(({ points }) => points.length > 0) }))
    .filter(({ curves }) => curves.length > 0);
}
