import type { Run } from '../../training/run/run-folder.js';
import type { LiveState } from '../../training/run/live/live-file.js';
import type { LoopObserver, StageEnd } from '../../training/stages/loop-services.js';
import type { WorkerPool } from '../../training/workers/worker-pool.js';
import type { Backend } from '../../training/tensorflow/backend.js';
import type { Output } from '../output.js';
import { type Announcer, loopProgress } from '../progress/loop-progress.js';
import { LivePublisher } from './live-publisher.js';
import { ReportWriter } from './report-writer.js';
import { RunView } from './run-view.js';
import { messenger } from '../output.js';

/** Receives the progress of a run until its end. */
export interface RunObserver extends LoopObserver, Pick<Announcer, 'say'> {
  /** Shows the other machines of a pool, too, if it has any. */
  watchPool(pool: Pick<WorkerPool, 'summary'>): void;
  end(end: StageEnd | 'failed'): Promise<void>;
}

const END_STATES: Readonly<Record<StageEnd | 'failed', LiveState['state']>> = {
  done: 'finished',
  stopped: 'stopped',
  failed: 'failed',
};

/**
 * Shows a run, on a terminal as `gess watch` does, else in lines, and writes its `live.json` and its report for others.
 */
export function observeRun(output: Output, run: Run, backend: Backend): RunObserver {
  const live = new LivePublisher(run.paths.live, backend);
  const { terminal } = output;
  const tell = messenger(output);
  const view =
    terminal && new RunView(terminal, run.paths.folder, { stateOf: () => live.state(), say: tell });
  const report = new ReportWriter(run.paths.folder, tell);
  const lines = loopProgress({ ...output, terminal: undefined });
  return {
    ...lines,
    onStage: (stage, generation, detail) => {
      live.onStage(stage, generation, detail);
      if (view === undefined) lines.onStage(stage, generation, detail);
      else view.draw();
    },
    onProgress: (done, total) => {
      live.onProgress(done, total);
      if (view === undefined) lines.onProgress(done, total);
    },
    onPoint: (point) => {
      live.onPoint(point);
    },
    onMetrics: (record) => {
      lines.onMetrics(record);
      report.request();
    },
    onEvaluation: (record) => {
      lines.onEvaluation(record);
      report.request();
    },
    watchPool: (pool) => {
      live.watchPool(pool);
    },
    end: async (end) => {
      lines.stop();
      view?.end();
      await live.end(END_STATES[end]);
      await report.settle();
    },
  };
}
