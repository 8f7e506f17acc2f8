import * as z from 'zod';
import { LearningPoint } from '../learning/learning-point.js';
import { LearnStatistics } from '../learning/learn-statistics.js';
import { ReplayRecord } from '../learning/replay-plan.js';
import { MatchResult } from '../matches/match-result.js';
import { OpeningSettings } from '../matches/match-settings.js';
import { MoveAccuracy } from '../matches/move-accuracy.js';
import { GameStatistics } from '../self-play/self-play-statistics.js';
import { JobEffort } from '../self-play/job-effort.js';
import { BACKENDS } from '../tensorflow/backend.js';
import { PoolSummary } from '../statistics/pool-summary.js';

const count = z.int().min(0);
const generation = count;
/** Seconds since 1970 at which the record was written. */
const time = z.number().min(0);

/** A shard from which a generation has learnt. */
const LearntShard = z.strictObject({
  name: z.string(),
  /** SHA-256 of the file, as in its manifest. */
  sha256: z.string(),
});
/** See the schema. */
export type LearntShard = z.infer<typeof LearntShard>;

/** See `MetricsRecord`. */
const PlayEffort = JobEffort.extend({
  /** Games and rows to which it belongs; absent in runs of earlier versions. */
  games: count.optional(),
  positions: count.optional(),
});

/** A line of `metrics.jsonl`: the games, the learning and the resources of a generation. */
export const MetricsRecord = z.strictObject({
  generation,
  time,
  games: GameStatistics,
  /** Effort of the games played by the process that wrote the record; existing shards do not count. */
  effort: PlayEffort,
  /** The shards of its games, in order. */
  shards: z.array(LearntShard).readonly(),
  learning: LearnStatistics,
  /** Distinct positions of its games (distinct-counter.ts); absent in runs of version 1.0.0. */
  distinctPositions: count.optional(),
  /** Rows in the window, held-back rows included. */
  windowRows: count,
  replay: ReplayRecord,
  /** The implementation that ran TensorFlow. */
  backend: z.enum(BACKENDS),
  /** Id of the process that wrote the record; it changes when the run is resumed. */
  processId: count,
  /** Live tensors after the generation, which reveal leaks. */
  tensors: count,
  /** Resident memory of the learning process. */
  residentBytes: count,
  /** Resident memory of the worker processes together; null if the system does not report it. */
  workerBytes: count.nullable(),
  /** With many machines: their numbers when the record was written, since the process that wrote it began. */
  machines: PoolSummary.optional(),
});
export type MetricsRecord = z.infer<typeof MetricsRecord>;

/** Facts about a match of a run besides its result. */
const matchOfRun = {
  ...MatchResult.shape,
  /** A book by its name and digest, or random plies. */
  openings: OpeningSettings,
  /** Thinking time of both players, in seconds, summed over processes. */
  seconds: z.number().min(0),
  time,
};

/** A line of `evaluations.jsonl`: a generation's match with an opponent, its `key`. */
export const EvaluationRecord = z.strictObject({
  generation,
  key: z.string(),
  games: count,
  ...matchOfRun,
});
export type EvaluationRecord = z.infer<typeof EvaluationRecord>;

/** The key of a generation as an opponent in `evaluations.jsonl`. */
export function keyOfGeneration(generation: number): string {
  return `generation-${generation}`;
}

/** The generation that a key names; null for the key of a fixed opponent. */
export function generationOfKey(key: string): number | null {
  const digits = /^generation-(\d{1,9})$/.exec(key)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** A line of `gates.jsonl`: a new network's match with the previous self-play network, from the new network's view. */
export const GateRecord = z.strictObject({
  generation,
  /** The generation that played self-play until then. */
  opponent: generation,
  games: count,
  /** Whether it replaces `opponent` in self-play. */
  passed: z.boolean(),
  ...matchOfRun,
});
export type GateRecord = z.infer<typeof GateRecord>;

/** A part of a generation that can be removed. */
export const RemovablePart = z.enum(['checkpoint', 'data']);
export type RemovablePart = z.infer<typeof RemovablePart>;

/** A line of `removed.jsonl`: a part that the retention rule removed. Written before the part is removed. */
export const RemovalRecord = z.strictObject({ generation, key: RemovablePart });
export type RemovalRecord = z.infer<typeof RemovalRecord>;

/** A line of `accuracy.jsonl`: the frequency of best moves of a generation's network on solved positions. */
export const AccuracyRecord = z.strictObject({
  generation,
  /** How the network chose moves: `policy`, its most probable move, or `N simulations` of search. */
  key: z.string(),
  ...MoveAccuracy.shape,
});
export type AccuracyRecord = z.infer<typeof AccuracyRecord>;

/** A line of `steps.jsonl`: the points of a generation's learning, ascending by step. */
export const StepsRecord = z.strictObject({ generation, points: z.array(LearningPoint).readonly() });
export type StepsRecord = z.infer<typeof StepsRecord>;
