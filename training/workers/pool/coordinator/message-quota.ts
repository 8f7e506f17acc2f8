/** Messages of one worker that are read between two ticks: 400 a second, far more than the busiest worker sends. */
const MOST_MESSAGES = 2000;

/** Bytes of these messages: the busiest worker sends half as many, and each mebibyte takes 50 ms to verify and parse. */
const MOST_BYTES = 8 * 2 ** 20;

/** Workers that are counted between two ticks; messages of others are ignored until the next tick. */
const MOST_SENDERS = 20_000;

/** Counts the messages of each worker, so that a flood of messages costs no verification of signatures. */
export class MessageQuota {
  private readonly most: number;
  private readonly mostBytes: number;
  private readonly counts = new Map<string, { messages: number; bytes: number }>();

  /**
   * @param most maximum number of messages of a worker between two ticks.
   * @param mostBytes maximum number of their bytes.
   */
  constructor(most = MOST_MESSAGES, mostBytes = MOST_BYTES) {
    this.most = most;
    this.mostBytes = mostBytes;
  }

  /** Counts a message of a worker; returns whether it should be read. */
  allows(sender: string, bytes: number): boolean {
    let count = this.counts.get(sender);
    if (count === undefined) {
      if (this.counts.size >= MOST_SENDERS) return false;
      count = { messages: 0, bytes: 0 };
      this.counts.set(sender, count);
    }
    count.messages += 1;
    count.bytes += bytes;
    return count.messages <= this.most && count.bytes <= this.mostBytes;
  }

  /** Resets all counts. */
  tick(): void {
    this.counts.clear();
  }
}
