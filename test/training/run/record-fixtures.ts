import { LearnerLosses } from '../../../training/learning/loss-means.js';
import type { EvaluationRecord, GateRecord, MetricsRecord } from '../../../training/run/run-records.js';
import { sumStatistics } from '../../../training/self-play/self-play-statistics.js';

const LOSSES = Object.fromEntries(Object.keys(LearnerLosses.shape).map((name) => [name, null])) as Record<
  keyof LearnerLosses,
  null
>;

const LEARNING: MetricsRecord['learning'] = {
  steps: 0,
  optimizerSteps: 0,
  samples: 0,
  training: LOSSES,
  validation: null,
  validationOfLast: null,
  gradientNorm: 0,
  clippedShare: 0,
  gradientNoiseScale: null,
  learningRate: 0,
  samplesPerSecond: 0,
  preparationShare: 0,
};

const EVEN_MATCH = {
  games: 2,
  wins: 1,
  draws: 0,
  losses: 1,
  truncated: 0,
  forfeits: { agent: 0, opponent: 0 },
  score: 0.5,
  elo: 0,
  eloLow: null,
  eloHigh: null,
  normalizedElo: 0,
  normalizedEloError: 0,
  superiority: 0.5,
  pentanomial: [0, 0, 1, 0, 0],
  meanPlies: 20,
  msPerMove: { agent: 1, opponent: 1 },
  openings: { plies: 4 },
  seconds: 0.02,
  time: 0,
};

/** A record of zeros, with `changes`. */
export function metricsRecord(generation: number, changes: Partial<MetricsRecord> = {}): MetricsRecord {
  return {
    generation,
    time: 0,
    games: sumStatistics([]),
    effort: { seconds: 0, networkEvaluations: 0, cacheHits: 0 },
    shards: [],
    learning: LEARNING,
    windowRows: 0,
    replay: { generations: [], trainingRows: 0, warmStartShare: 0, passes: 0 },
    backend: 'wasm',
    processId: 1,
    tensors: 0,
    residentBytes: 0,
    workerBytes: null,
    ...changes,
  };
}

/** An even match, with `changes`. */
export function evaluationRecord(
  generation: number,
  key: string,
  changes: Partial<EvaluationRecord> = {},
): EvaluationRecord {
  return { generation, key, ...EVEN_MATCH, ...changes };
}

/** An even gate match, with `changes`. */
export function gateRecord(generation: number, changes: Partial<GateRecord> = {}): GateRecord {
  return { generation, opponent: 0, passed: false, ...EVEN_MATCH, ...changes };
}
