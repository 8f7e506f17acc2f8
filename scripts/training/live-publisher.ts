import { arch, cpus, totalmem, type } from 'node:os';
import type { Backend } from '../../training/tensorflow/backend.js';
import type { LearningPoint } from '../../training/learning/learning-point.js';
import {
  type Hardware,
  type LiveStage,
  type NewLiveState,
  writeLiveState,
} from '../../training/run/live/live-file.js';
import type { Stage } from '../../training/run/live/stage-names.js';
import type { PoolSummary } from '../../training/statistics/pool-summary.js';
import type { WorkerPool } from '../../training/workers/worker-pool.js';
import { PaceMeter } from '../progress/progress.js';

/** Time between two writes. */
const WRITE_MS = 1000;

/** This machine. */
function thisHardware(): Hardware {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryBytes: totalmem(),
    system: `${type()} ${arch()}`,
  };
}

/** Keeps `live.json` of a run up to date, once a second, so that others can watch it. */
export class LivePublisher {
  private readonly path: string;
  private readonly backend: Backend;
  private readonly hardware = thisHardware();
  private readonly since = Date.now() / 1000;
  private stage: Pick<LiveStage, 'name' | 'generation' | 'detail' | 'since'> | null = null;
  private meter = new PaceMeter();
  private point: LearningPoint | null = null;
  private summaryOf: (() => PoolSummary) | undefined;
  private readonly timer: NodeJS.Timeout;
  private writing: Promise<void> = Promise.resolve();
  private isWriting = false;

  constructor(path: string, backend: Backend) {
    this.path = path;
    this.backend = backend;
    this.timer = setInterval(() => {
      if (!this.isWriting) this.write('running');
    }, WRITE_MS);
    this.timer.unref();
  }

  /** The state as others read it. */
  state(state: NewLiveState['state'] = 'running'): NewLiveState {
    const { stage, meter, point, backend, hardware, since } = this;
    const { done, total, perSecond } = meter.pace;
    return {
      state,
      processId: process.pid,
      since,
      time: Date.now() / 1000,
      backend,
      hardware,
      stage: stage && { ...stage, done, total, perSecond },
      point,
      ...(this.summaryOf && { machines: this.summaryOf() }),
    };
  }

  /** From now on the state has the other machines of a pool, if it has any. */
  watchPool(pool: Pick<WorkerPool, 'summary'>): void {
    this.summaryOf = pool.summary && ((): PoolSummary => pool.summary!());
  }

  onStage(name: Stage, generation: number, detail: string): void {
    this.stage = { name, generation, detail, since: Date.now() / 1000 };
    this.meter = new PaceMeter();
    this.write('running');
  }

  onProgress(done: number, total: number): void {
    this.meter.update(done, total);
  }

  onPoint(point: LearningPoint): void {
    this.point = point;
  }

  /** Writes the last state; nothing is written after it. */
  async end(state: NewLiveState['state']): Promise<void> {
    clearInterval(this.timer);
    this.write(state);
    await this.writing;
  }

  private write(state: NewLiveState['state']): void {
    const content = this.state(state);
    this.isWriting = true;
    this.writing = this.writing
      .then(() => writeLiveState(this.path, content))
      .then(() => {
        this.isWriting = false;
      });
  }
}
