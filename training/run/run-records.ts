import type { Backend } from '../tensorflow/backend.js';
import type { LearnStatistics } from '../learning/learner.js';
import type { ReplayRecord } from '../learning/replay-plan.js';
import type { MatchResult } from '../matches/match.js';
import type { RunRecord } from './run-record-file.js';
import type { GameStatistics } from '../self-play/self-play-statistics.js';
import type { JobEffort } from '../self-play/shard-play.js';

/** A shard that a generation has learnt from, as its line of `metrics.jsonl` has it. */
export interface LearntShard {
  readonly name: string;
  /** Of the file, as its manifest has it. */
  readonly sha256: string;
}

/** A record that says when it was made. */
export interface TimedRecord extends RunRecord {
  /** Seconds since 1970; undefined in records of earlier versions. */
  readonly time?: number;
}

/** A line of `metrics.jsonl`: how a generation came to be. */
export interface MetricsRecord extends TimedRecord {
  readonly games: GameStatistics;
  /** Of the games played now; what was there before a restart is not counted. */
  readonly effort: JobEffort;
  /** The shards of its games, in order; absent in older records. */
  readonly shards?: readonly LearntShard[];
  readonly learning: LearnStatistics;
  readonly windowRows: number;
  readonly replay: ReplayRecord;
  /** What ran TensorFlow. */
  readonly backend: Backend;
  /** Number of the process that wrote it; another than in the record before: the run was resumed. Absent in older records. */
  readonly processId?: number;
  /** Tensors alive after the generation: a leak shows here. */
  readonly tensors: number;
  readonly residentBytes: number;
  /** The same of the processes that play, together; null where the system does not tell, absent in older records. */
  readonly workerBytes?: number | null;
}

/** A line of `evaluations.jsonl`: a generation's match with an opponent, its `key`. */
export interface EvaluationRecord extends TimedRecord, MatchResult {
  readonly key: string;
  readonly games: number;
}

/** A line of `gates.jsonl`: a new network's match with the one that played self-play until then, from the new one's view. */
export interface GateRecord extends TimedRecord, MatchResult {
  readonly games: number;
  /** The generation that it played. */
  readonly opponent: number;
  /** Whether it has taken its place. */
  readonly passed: boolean;
}
