// A thread of a worker that ends the process when its parent has ended, even where the main thread is deep in a long search
// and does not hear that the channel was closed.
import { workerData } from 'node:worker_threads';

const INTERVAL_MS = 1000;

setInterval(() => {
  // An orphan gets another parent. Windows goes on naming the one that has ended: there the channel must do.
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, INTERVAL_MS);
