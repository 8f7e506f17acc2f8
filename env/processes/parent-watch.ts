// Needs Node: a thread that ends its process when the parent process has ended, even while the main thread is deep in a
// long search and does not notice that the channel was closed.
import { workerData } from 'node:worker_threads';

const INTERVAL_MS = 1000;

setInterval(() => {
  // An orphan gets another parent. Windows keeps reporting the parent that has ended: there the closed channel has to
  // suffice.
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, INTERVAL_MS);
