import { createGame } from '../env/games.js';
import type { RunConfig } from '../training/config.js';
import { train } from '../training/loop.js';
import { describeSize, networkShape } from '../training/network/network.js';
import { openRun, type Run } from '../training/run-folder.js';
import { softwareVersion } from '../training/software-version.js';
import { WorkerPool } from '../training/workers/worker-pool.js';
import { loopProgress } from './loop-progress.js';
import { loadForLearner } from './learner-tensorflow.js';
import type { Output } from './output.js';
import { listenForStop } from './stop-signal.js';

/** Which run to begin or to go on with. */
export interface TrainingRequest {
  readonly folder: string;
  /** Undefined: the one the run was begun with. */
  readonly config: RunConfig | undefined;
  /** Without `config`: settings in place of the run's own. */
  readonly settings?: readonly string[] | undefined;
  /** The checkpoint that a new run begins from. */
  readonly from?: string | undefined;
  readonly resume: boolean;
  /** How to go on with it, for people. */
  readonly resumeCommand: string;
}

/**
 * Trains until the run is finished or Ctrl-C.
 *
 * @returns the run, given back, and whether it is finished.
 * @throws what `openRun`, `loadTensorflow` and `train` throw.
 */
export async function runTraining(
  output: Output,
  request: TrainingRequest,
): Promise<{ readonly run: Run; readonly finished: boolean }> {
  const versions = { 'gess-zero': softwareVersion(), node: process.versions.node };
  const run = await openRun(request.folder, { ...request, versions });
  const observer = loopProgress(output);
  const stop = listenForStop(output, `Go on with: ${request.resumeCommand}`);
  let pool: WorkerPool | undefined;
  try {
    const tf = loadForLearner(output, run.config.learner);
    pool = new WorkerPool(run.config.selfPlay.processes, { onMessage: observer.say });
    const game = createGame(run.config.game.id, run.config.game.rules);
    output.message(`gess: a network of ${describeSize(networkShape(game, run.config.network))}`);
    const services = { tf, pool, observer, signal: stop.signal };
    return { run, finished: await train(run, services) };
  } finally {
    observer.stop();
    stop.dispose();
    await pool?.dispose();
    await run.lock.release();
  }
}
