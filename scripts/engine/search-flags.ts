/** Shared words, 1 if set: the running search should stop; no request may begin; one is in progress. */
const [STOPPED, CLOSED, BUSY] = [0, 1, 2];

/**
 * Flags that a search thread and its owner share. ONNX Runtime aborts the process if a thread ends while it loads or
 * runs a network, so the owner has to wait for the request in progress before the process ends.
 */
export class SearchFlags {
  readonly words: Int32Array;

  /** @param words the owner's, in the thread. New ones begin as busy: starting the thread is a request. */
  constructor(words?: Int32Array) {
    this.words = words ?? new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
    if (words === undefined) Atomics.store(this.words, BUSY, 1);
  }

  /** Whether the running search has to end. */
  get isStopped(): boolean {
    return Atomics.load(this.words, STOPPED) !== 0;
  }

  /** Asks the running search to end, or lets the next one run. */
  setStopped(isStopped: boolean): void {
    Atomics.store(this.words, STOPPED, isStopped ? 1 : 0);
  }

  /** In the thread: the next request begins. @returns false if none may begin any more. */
  begin(): boolean {
    Atomics.store(this.words, BUSY, 1);
    if (Atomics.load(this.words, CLOSED) === 0) return true;
    this.end();
    return false;
  }

  /** In the thread: the request has ended. */
  end(): void {
    Atomics.store(this.words, BUSY, 0);
    Atomics.notify(this.words, BUSY);
  }

  /** Stops the running search, lets no further request begin, and blocks until the one in progress has ended. */
  close(timeoutMs: number): void {
    this.setStopped(true);
    Atomics.store(this.words, CLOSED, 1);
    Atomics.wait(this.words, BUSY, 1, timeoutMs);
  }
}
