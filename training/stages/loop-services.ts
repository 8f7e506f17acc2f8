import type { LearningPoint } from '../learning/learning-point.js';
import type { Stage } from '../run/live/stage-names.js';
import type { EvaluationRecord, GateRecord, MetricsRecord } from '../run/run-records.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import type { WorkerPool } from '../workers/worker-pool.js';

export type { Stage } from '../run/live/stage-names.js';

/**
 * Result of a stage or a run. `done`: all results are on disk; `stopped`: the signal came before that. A stage with
 * nothing to do is done, whatever the signal.
 */
export type StageEnd = 'done' | 'stopped';

/** Receives the progress of a run. */
export interface LoopObserver {
  /** Called when a stage begins; `detail` describes it for people. */
  onStage(stage: Stage, generation: number, detail: string): void;
  /** Called with the progress of the stage, in games or steps. */
  onProgress(done: number, total: number): void;
  /** Called with the losses of the last steps of learning. */
  onPoint?(point: LearningPoint): void;
  /** Called when a generation has been learnt. */
  onMetrics(record: MetricsRecord): void;
  /** Called when a new network has played its gate match. */
  onGate(record: GateRecord): void;
  /** Called when an evaluation match has been played. */
  onEvaluation(record: EvaluationRecord): void;
}

/** The services that a run uses. */
export interface LoopServices {
  readonly tf: Tensorflow;
  readonly pool: WorkerPool;
  readonly observer: LoopObserver;
  /** The time in milliseconds since 1970; used for records only. */
  readonly now: () => number;
  /** Stops the run after the unit of work in progress. */
  readonly signal: AbortSignal;
}

/** The services that a stage with matches uses. */
export type MatchStageServices = Omit<LoopServices, 'tf'>;
