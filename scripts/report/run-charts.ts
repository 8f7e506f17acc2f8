import type { AccuracyRecord, EvaluationRecord, MetricsRecord } from '../../training/run/run-records.js';
import { ladderOfRun } from '../../training/run/run-ladder.js';
import type { Chart, Curve, CurvePoint } from './chart.js';
import { ladderChart } from './ladder-chart.js';

/** The records of a run that are drawn. */
export interface RunRecords {
  readonly metrics: readonly MetricsRecord[];
  readonly evaluations: readonly EvaluationRecord[];
  readonly accuracies: readonly AccuracyRecord[];
}

type Reading = (record: MetricsRecord) => number | null | undefined;

const PERCENT: readonly [number, number] = [0, 100];

function curveOf(name: string, metrics: readonly MetricsRecord[], read: Reading): Curve {
  const points = metrics.flatMap((record): CurvePoint[] => {
    const value = read(record);
    return typeof value === 'number' ? [{ generation: record.generation, value }] : [];
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
  return elo === null ? unbounded : 100 / (1 + 10 ** (-elo / 400));
}

function matchesChart({ evaluations }: RunRecords): Chart {
  const opponents = [...new Set(evaluations.map(({ key }) => key))];
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

/** Ratings of the generations by their matches, if there are any. */
function ratingsCharts({ evaluations }: RunRecords): readonly Chart[] {
  const ladder = ladderOfRun(evaluations);
  const chart = ladder && ladderChart(ladder.standings);
  return chart === null ? [] : [chart];
}

function accuracyChart({ accuracies }: RunRecords): Chart {
  const names = [...new Set(accuracies.map(({ key }) => key))];
  const curves = names.map((name): Curve => {
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

/** The learning curves of a run, without empty ones. */
export function runCharts(records: RunRecords): readonly Chart[] {
  const charts: readonly Chart[] = [
    ...ratingsCharts(records),
    matchesChart(records),
    accuracyChart(records),
    metricsChart(
      records,
      { title: 'Policy', unit: 'nats' },
      {
        'loss, samples drawn': ({ learning }) => learning.training.policyLoss,
        'loss, games held back': ({ learning }) => learning.validation?.policyLoss,
        'entropy of the target': ({ learning }) => learning.training.targetEntropy,
        'entropy of the network': ({ learning }) => learning.training.policyEntropy,
      },
    ),
    metricsChart(
      records,
      { title: 'Cross-entropy of win, draw, loss', unit: 'nats' },
      {
        'samples drawn': ({ learning }) => learning.training.valueLoss,
        'games held back': ({ learning }) => learning.validation?.valueLoss,
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
    metricsChart(
      records,
      { title: 'Games', unit: 'plies' },
      {
        'mean length': ({ games }) => games.plies / games.games,
      },
    ),
  ];
  return charts
    .map((chart) => ({ ...chart, curves: chart.curves.filter(({ points }) => points.length > 0) }))
    .filter(({ curves }) => curves.length > 0);
}
