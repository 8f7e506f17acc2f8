// What a process of `WorkerPool` runs. It ends when its parent does.
import { Worker } from 'node:worker_threads';
import { playMatchJob } from '../matches/match-job.js';
import { playShard } from '../self-play/shard-play.js';
import { compiledModule } from './compiled-module.js';
import { packFailure } from './worker-failure.js';
import type { JobOrder, WorkerMethods, WorkerOrder, WorkerReport } from './worker-message.js';

function end(): void {
  process.exit(1);
}

function report(message: WorkerReport): void {
  // What cannot be sent has nobody to read it: the parent has ended, perhaps before this process was ready.
  process.send!(message, (error: Error | null) => {
    if (error !== null) end();
  });
}

function reportGames(finishedGames: number): void {
  report({ finishedGames });
}

function run(order: JobOrder): Promise<WorkerMethods[keyof WorkerMethods]['result']> {
  if (order.method === 'playMatch') return playMatchJob(order.job, reportGames);
  let finished = 0;
  return playShard(order.job, () => {
    finished += 1;
    reportGames(finished);
  });
}

async function work(order: JobOrder): Promise<void> {
  try {
    report({ result: await run(order) });
  } catch (error) {
    report({ failure: packFailure(error) });
  }
}

// When to stop is the parent's business: what is sent to all processes of a service must not cost the games under way.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', end);
process.on('message', (order: WorkerOrder) => {
  if (order === 'ping') report('pong');
  else void work(order);
});
new Worker(compiledModule('parent-watch'), { workerData: Number(process.argv[2]) }).unref();
