import type { LearnerConfig } from '../config/groups/learner-config.js';
import { type LearningPoint, STEPS_A_POINT } from '../learning/learning-point.js';
import type { LearnerLosses } from '../learning/loss-means.js';
import { learningRateAt } from '../learning/optimizer/learning-rate.js';
import { readRecords, writeRecord } from '../run/run-record-file.js';
import type { RunPaths } from '../run/run-paths.js';
import { writeStepEvents } from '../run/tensorboard/step-events.js';
import type { LoopServices } from './loop-services.js';

/** Shortest time between two writes of the points. */
const WRITE_MS = 10_000;

/** The learning of a generation. */
export interface CurveOfGeneration {
  readonly generation: number;
  /** Steps of the generation. */
  readonly steps: number;
  /** Steps of the optimiser before the generation. */
  readonly optimizerSteps: number;
  readonly config: LearnerConfig;
}

/** Means of losses over steps; losses of missing heads are null. */
class StepMeans {
  private readonly sums = new Map<string, { sum: number; count: number }>();
  steps = 0;

  add(losses: LearnerLosses): void {
    this.steps += 1;
    for (const [name, loss] of Object.entries(losses)) {
      const { sum, count } = this.sums.get(name) ?? { sum: 0, count: 0 };
      this.sums.set(name, loss === null ? { sum, count } : { sum: sum + loss, count: count + 1 });
    }
  }

  /** Returns the means so far and resets them. */
  take(): LearnerLosses {
    const means = Array.from(this.sums, ([name, { sum, count }]) => [name, count === 0 ? null : sum / count]);
    this.sums.clear();
    this.steps = 0;
    return Object.fromEntries(means) as LearnerLosses;
  }
}

/**
 * Collects the points of a generation's learning and writes them to `steps.jsonl` and for TensorBoard. Points written
 * by an earlier process are kept, since repeated steps have the same losses: a resumed run adds no duplicates.
 */
export class LearningCurve {
  private readonly paths: RunPaths;
  private readonly learning: CurveOfGeneration;
  private readonly services: Pick<LoopServices, 'observer' | 'now'>;
  private readonly points: LearningPoint[];
  private readonly means = new StepMeans();
  private lastSeconds: number | null = null;
  private writtenMs = performance.now();
  private writing: Promise<void> = Promise.resolve();
  private failure: { readonly error: unknown } | null = null;

  private constructor(
    paths: RunPaths,
    learning: CurveOfGeneration,
    services: Pick<LoopServices, 'observer' | 'now'>,
    points: readonly LearningPoint[],
  ) {
    this.paths = paths;
    this.learning = learning;
    this.services = services;
    this.points = [...points];
  }

  /** @throws TrainingError `run-damaged`; DataError for a file that cannot be read. */
  static async open(
    paths: RunPaths,
    learning: CurveOfGeneration,
    services: Pick<LoopServices, 'observer' | 'now'>,
  ): Promise<LearningCurve> {
    const records = await readRecords(paths, 'steps');
    const found = records.find(({ generation }) => generation === learning.generation);
    return new LearningCurve(paths, learning, services, found?.points ?? []);
  }

  /** Adds a step of the generation, from 1, with its losses. */
  add(step: number, losses: LearnerLosses): void {
    const { steps, optimizerSteps, config } = this.learning;
    this.means.add(losses);
    const optimizerStep = optimizerSteps + step;
    if (optimizerStep % STEPS_A_POINT !== 0 && step < steps) return;
    const taken = this.means.steps;
    const seconds = this.services.now() / 1000;
    const passed = this.lastSeconds === null ? 0 : seconds - this.lastSeconds;
    this.lastSeconds = seconds;
    const point: LearningPoint = {
      step: optimizerStep,
      time: seconds,
      losses: this.means.take(),
      learningRate: learningRateAt(config, { optimizerStep: optimizerStep - 1, share: (step - 1) / steps }),
      samplesPerSecond: passed > 0 ? (taken * config.batchSize) / passed : null,
    };
    this.services.observer.onPoint?.(point);
    if (point.step <= (this.points.at(-1)?.step ?? -1)) return;
    this.points.push(point);
    if (performance.now() - this.writtenMs >= WRITE_MS) this.write();
  }

  /**
   * Writes the points that have not been written yet.
   *
   * @throws DataError `disk-full`, `write-failed`; TrainingError `run-damaged` for the file's other lines.
   */
  async flush(): Promise<void> {
    this.write();
    await this.writing;
    if (this.failure !== null) throw this.failure.error;
  }

  private write(): void {
    this.writtenMs = performance.now();
    const record = { generation: this.learning.generation, points: [...this.points] };
    if (record.points.length === 0) return;
    this.writing = this.writing
      .then(async () => {
        if (this.failure !== null) return;
        await writeRecord(this.paths, 'steps', record);
        await writeStepEvents(this.paths);
      })
      .catch((error: unknown) => {
        this.failure = { error };
      });
  }
}
