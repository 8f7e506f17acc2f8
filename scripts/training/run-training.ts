import { createGame } from '../../env/games.js';
import type { Backend, BackendChoice } from '../../training/tensorflow/backend.js';
import type { RunConfig } from '../../training/config/run-config.js';
import { train } from '../../training/loop.js';
import { networkShape } from '../../training/network/network-shape.js';
import { describeSize } from '../../training/network/parameter-specs.js';
import { readRecords } from '../../training/run/run-record-file.js';
import { openRun, type Run } from '../../training/run/run-folder.js';
import { runVersions } from '../../training/run/run-versions.js';
import type { WorkerPool } from '../../training/workers/worker-pool.js';
import type { StageEnd } from '../../training/stages/loop-services.js';
import { observeRun, type RunObserver } from './run-observer.js';
import { loadForLearner } from './learner-tensorflow.js';
import { expectPool, openPool } from '../options/open-pool.js';
import type { PoolWords } from '../options/pool-option.js';
import type { Output } from '../output.js';
import { listenForStop } from '../stopping/stop-signal.js';

/** A request to begin or to resume a run. */
export interface TrainingRequest extends PoolWords {
  readonly folder: string;
  /** Undefined: the configuration with which the run was begun. */
  readonly config: RunConfig | undefined;
  /** Settings that override the run's own; used without `config`. */
  readonly settings?: readonly string[] | undefined;
  /** The checkpoint from which a new run begins. */
  readonly from?: string | undefined;
  readonly resume: boolean;
  /** The backend of TensorFlow. */
  readonly backend: BackendChoice;
  /** The command that resumes the run, for messages. */
  readonly resumeCommand: string;
}

const BACKEND_NAMES: Readonly<Record<Backend, string>> = {
  native: 'native TensorFlow',
  wasm: 'WebAssembly',
};

/** Prints a message if the run has learnt on another backend. */
async function compareBackends(output: Output, { paths, config }: Run, backend: Backend): Promise<void> {
  const last = (await readRecords(paths, 'metrics')).at(-1);
  if (last === undefined || last.generation >= config.generations) return;
  const before = last.backend;
  if (before === backend) return;
  output.message(
    `gess: this run has learnt on ${BACKEND_NAMES[before]} and resumes on ${BACKEND_NAMES[backend]}: its weights will ` +
      'differ in their last bits from those of a run on one backend',
  );
}

/**
 * Trains until the run is finished or stopped by a signal.
 *
 * @returns the run, its lock released, and whether it is finished.
 * @throws DataError, TrainingError, PackageError as `expectPool`, `openRun`, `loadBackend` and `train`.
 */
export async function runTraining(
  output: Output,
  request: TrainingRequest,
): Promise<{ readonly run: Run; readonly finished: boolean }> {
  await expectPool(request);
  const run = await openRun(request.folder, { ...request, versions: runVersions() });
  const stop = listenForStop(output, {
    hint: `Resume with: ${request.resumeCommand}`,
    action: 'finishing the shards or the step in progress, which can take minutes',
  });
  let pool: WorkerPool | undefined;
  let observer: RunObserver | undefined;
  let end: StageEnd | 'failed' = 'failed';
  try {
    const { learner } = run.config;
    const { tf, backend } = await loadForLearner(output, { learner, backend: request.backend });
    await compareBackends(output, run, backend);
    observer = observeRun(output, run, backend);
    pool = await openPool({
      ...request,
      processes: run.config.selfPlay.processes,
      book: run.paths.workers,
      onMessage: observer.say,
    });
    observer.watchPool(pool);
    const game = createGame(run.config.game.id, run.config.game.rules);
    output.message(`gess: a network of ${describeSize(networkShape(game, run.config.network))}`);
    const services = { tf, pool, observer, signal: stop.signal, now: Date.now };
    end = await train(run, services);
    if (end === 'done') stop.done();
    return { run, finished: end === 'done' };
  } finally {
    try {
      await observer?.end(end);
    } finally {
      stop.dispose();
      await pool?.dispose();
      run.lock.release();
    }
  }
}
