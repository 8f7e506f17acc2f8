import type { BatchRun } from './batch-run.js';
import type { OpenIntake } from './intake/result-intake.js';
import type { RemoteMethod } from './job-batch.js';

/**
 * Plays a batch until no job is open and no result is being judged, or until it is stopped. Closes the intake.
 *
 * @param processes number of processes of this machine that play.
 * @throws as `BatchRun.play`.
 */
export async function playOut<M extends RemoteMethod, Result>(
  run: BatchRun<M, Result>,
  { queue, close }: OpenIntake,
  processes: number,
): Promise<void> {
  try {
    for (;;) {
      await run.play(processes);
      await queue.pause();
      // If a result turned out to be a lie, all jobs of its worker are open again.
      if (run.isOver) break;
      queue.resume();
    }
  } finally {
    await close();
  }
  run.expectSound();
}
