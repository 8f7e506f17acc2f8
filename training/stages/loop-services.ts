import type { EvaluationRecord, GateRecord, MetricsRecord } from '../run/run-records.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import type { WorkerPool } from '../workers/worker-pool.js';

/** What a run does at a time. */
export type Stage = 'games' | 'learning' | 'gate' | 'evaluation';

/** Follows a run. */
export interface LoopObserver {
  /** A stage begins; `detail` says more, for people. */
  onStage(stage: Stage, generation: number, detail: string): void;
  /** How much of the stage is done: games or steps. */
  onProgress(done: number, total: number): void;
  /** A generation is there. */
  onMetrics(record: MetricsRecord): void;
  /** A new network has played for its place in self-play. */
  onGate(record: GateRecord): void;
  /** A match was played. */
  onEvaluation(record: EvaluationRecord): void;
}

/** What a run needs beside its folder. */
export interface LoopServices {
  readonly tf: Tensorflow;
  readonly pool: WorkerPool;
  readonly observer: LoopObserver;
  /** The time, in milliseconds since 1970: for records only. */
  readonly now: () => number;
  /** Ends the run after the unit of work under way. */
  readonly signal: AbortSignal;
}
