/** Maximum number of results that wait here to be judged; further ones wait at the server. */
const MOST_WAITING = 256;

/** Results that wait to be judged, a few of them at once. */
export class ResultQueue<Item> {
  private readonly judge: (item: Item) => Promise<void>;
  private readonly judgedAtOnce: number;
  private readonly waiting: Item[] = [];
  private readonly judged = new Set<Promise<void>>();
  private isPaused = false;
  private onRoom = (): void => undefined;

  /** @param judge does not reject. */
  constructor(judgedAtOnce: number, judge: (item: Item) => Promise<void>) {
    this.judgedAtOnce = judgedAtOnce;
    this.judge = judge;
  }

  /** Resolves once there is room for another result. */
  async add(item: Item): Promise<void> {
    this.waiting.push(item);
    this.pump();
    while (this.waiting.length >= MOST_WAITING) await new Promise<void>((resolve) => (this.onRoom = resolve));
  }

  /** Begins to judge no further result, and waits for those that are being judged. */
  async pause(): Promise<void> {
    this.isPaused = true;
    await Promise.all(this.judged);
  }

  resume(): void {
    this.isPaused = false;
    this.pump();
  }

  /** Discards the results that wait. */
  clear(): void {
    this.waiting.length = 0;
    this.onRoom();
  }

  private pump(): void {
    while (!this.isPaused && this.judged.size < this.judgedAtOnce) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.onRoom();
      const judging = this.judge(next);
      this.judged.add(judging);
      void judging.finally(() => {
        this.judged.delete(judging);
        this.pump();
      });
    }
  }
}
