/** Messages of one worker that are read between two ticks: 400 a second, far more than the busiest machine sends. */
const MOST_MESSAGES = 2000;

/** Workers that are counted between two ticks; further ones must wait for the next. */
const MOST_SENDERS = 20_000;

/** Counts the messages of each worker, so that one that floods the coordinator costs it no signatures. */
export class MessageQuota {
  private readonly most: number;
  private readonly counts = new Map<string, number>();

  /** @param most messages of a worker between two ticks. */
  constructor(most = MOST_MESSAGES) {
    this.most = most;
  }

  /** Counts a message of a worker; whether it is to be read. */
  allows(sender: string): boolean {
    const count = (this.counts.get(sender) ?? 0) + 1;
    if (count === 1 && this.counts.size >= MOST_SENDERS) return false;
    this.counts.set(sender, count);
    return count <= this.most;
  }

  /** Begins to count anew. */
  tick(): void {
    this.counts.clear();
  }
}
