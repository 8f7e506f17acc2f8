import { Worker } from 'node:worker_threads';
import type { SearchJob } from '../../agents/thinking/search-job.js';
import { mainModule } from '../../training/games/game-module.js';
import { ONNX_RUNTIME_VARIABLES } from '../../training/inference/onnx-session.js';
import { SearchFlags } from './search-flags.js';
import type { SearchPlayer, SearchReport, SearchRequest, SearchThreadData } from './search-messages.js';

/** Time that a process at its end waits for a thread: more than any network takes to load. */
const MAX_EXIT_MS = 5000;

/** A thread that searches, so that the caller can read input meanwhile and stop the search. */
export class SearchThread {
  private readonly worker: Worker;
  /** Whether the thread has failed or is being closed. */
  private hasEnded = false;
  private readonly flags = new SearchFlags();

  /**
   * @param onReport receives the answers to requests, and thoughts on the way. A thread that ends by itself, such as
   *   for lack of memory, reports `failed` once and answers nothing more.
   */
  constructor(onReport: (report: SearchReport) => void) {
    // Set in this thread, because ONNX Runtime does not see variables that a worker thread sets.
    Object.assign(process.env, ONNX_RUNTIME_VARIABLES);
    const workerData: SearchThreadData = { words: this.flags.words };
    this.worker = new Worker(mainModule(import.meta.url, 'search-worker'), { workerData });
    this.worker.on('message', onReport);
    const fail = (message: string): void => {
      if (this.hasEnded) return;
      this.hasEnded = true;
      onReport({ kind: 'failed', code: 'internal', message, exitCode: 1 });
    };
    this.worker.on('error', (error) => {
      fail(error.message);
    });
    const waitForRequest = (): void => {
      this.flags.close(MAX_EXIT_MS);
    };
    process.once('exit', waitForRequest);
    this.worker.on('exit', (code) => {
      process.off('exit', waitForRequest);
      fail(`the search thread ended with exit code ${code}`);
    });
  }

  /** Loads the player; the answer is `loaded` or `failed`. */
  load(player: SearchPlayer): void {
    this.send({ kind: 'load', player });
  }

  /** Forgets what earlier searches found. */
  newGame(): void {
    this.send({ kind: 'new-game' });
  }

  /** Starts a search; the answer is `done` or `failed`. */
  search(job: SearchJob): void {
    this.flags.setStopped(false);
    this.send({ kind: 'search', job });
  }

  /** Asks the running search to end with what it has found, within milliseconds. */
  stop(): void {
    this.flags.setStopped(true);
  }

  /** Ends the running search and the thread. */
  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.worker.once('exit', () => {
        resolve();
      });
    });
    this.hasEnded = true;
    if (this.worker.threadId < 0) return;
    this.stop();
    // Not `terminate`: ONNX Runtime aborts the process if a thread ends while it runs a network.
    this.send({ kind: 'close' });
    await ended;
  }

  private send(request: SearchRequest): void {
    this.worker.postMessage(request);
  }
}
