import * as z from 'zod';
import { LearnStatistics } from '../learning/learn-statistics.js';
import { ReplayRecord } from '../learning/replay-plan.js';
import { MatchResult } from '../matches/match-result.js';
import { MoveAccuracy } from '../matches/move-accuracy.js';
import { GameStatistics } from '../self-play/self-play-statistics.js';
import { JobEffort } from '../self-play/shard-play.js';
import { BACKENDS } from '../tensorflow/backend.js';

const count = z.int().min(0);
const generation = count;
/** Seconds since 1970 at which the record was written. */
const time = z.number().min(0);

/** A shard that a generation has learnt from. */
const LearntShard = z.strictObject({
  name: z.string(),
  /** SHA-256 of the file, as in its manifest. */
  sha256: z.string(),
});
/** See the schema. */
export type LearntShard = z.infer<typeof LearntShard>;

/** A line of `metrics.jsonl`: the games, the learning and the resources of a generation. */
export const MetricsRecord = z.strictObject({
  generation,
  time,
  games: GameStatistics,
  /** Of the games played by the process that wrote the record; shards that existed before are not counted. */
  effort: JobEffort,
  /** The shards of its games, in order. */
  shards: z.array(LearntShard).readonly(),
  learning: LearnStatistics,
  /** Rows in the window, those held back included. */
  windowRows: count,
  replay: ReplayRecord,
  /** The implementation that ran TensorFlow. */
  backend: z.enum(BACKENDS),
  /** Id of the process that wrote the record; it changes where the run was resumed. */
  processId: count,
  /** Tensors alive after the generation: a leak shows here. */
  tensors: count,
  /** Resident memory of the process that learns. */
  residentBytes: count,
  /** Resident memory of the processes that play, together; null where the system does not report it. */
  workerBytes: count.nullable(),
});
export type MetricsRecord = z.infer<typeof MetricsRecord>;

/** A line of `evaluations.jsonl`: a generation's match with an opponent, its `key`. */
export const EvaluationRecord = z.strictObject({
  generation,
  key: z.string(),
  games: count,
  ...MatchResult.shape,
  time,
});
export type EvaluationRecord = z.infer<typeof EvaluationRecord>;

/** A line of `gates.jsonl`: a new network's match with the one that played self-play until then, from the new one's view. */
export const GateRecord = z.strictObject({
  generation,
  /** The generation that it played. */
  opponent: generation,
  games: count,
  /** Whether it replaces `opponent` in self-play. */
  passed: z.boolean(),
  ...MatchResult.shape,
  time,
});
export type GateRecord = z.infer<typeof GateRecord>;

/** A part of a generation that can be removed. */
export const RemovablePart = z.enum(['checkpoint', 'data']);
export type RemovablePart = z.infer<typeof RemovablePart>;

/** A line of `removed.jsonl`: a part that the retention rule removed. Written before the part is removed. */
export const RemovalRecord = z.strictObject({ generation, key: RemovablePart });
export type RemovalRecord = z.infer<typeof RemovalRecord>;

/** A line of `accuracy.jsonl`: how often a generation's network finds best moves of solved positions. */
export const AccuracyRecord = z.strictObject({
  generation,
  /** How the network moves: `policy`, its most probable move, or `N simulations` of search. */
  key: z.string(),
  ...MoveAccuracy.shape,
});
export type AccuracyRecord = z.infer<typeof AccuracyRecord>;
