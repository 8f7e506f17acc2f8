/** Messages of one worker that are read between two ticks: 400 a second, far more than the busiest worker sends. */
const MOST_MESSAGES = 2000;

/** Workers that are counted between two ticks; messages of others are ignored until the next tick. */
const MOST_SENDERS = 20_000;

/** Counts the messages of each worker, so that a flood of messages costs no verification of signatures. */
export class MessageQuota {
  private readonly most: number;
  private readonly counts = new Map<string, number>();

  /** @param most maximum number of messages of a worker between two ticks. */
  constructor(most = MOST_MESSAGES) {
    this.most = most;
  }

  /** Counts a message of a worker; returns whether it should be read. */
  allows(sender: string): boolean {
    const count = (this.counts.get(sender) ?? 0) + 1;
    if (count === 1 && this.counts.size >= MOST_SENDERS) return false;
    this.counts.set(sender, count);
    return count <= this.most;
  }

  /** Resets all counts. */
  tick(): void {
    this.counts.clear();
  }
}
