/** Maximum number of results that wait here; further ones wait at the server. */
const MOST_WAITING = 256;

/** Results that wait to be judged or discarded, a few of them at once. */
export class ResultQueue<Item> {
  private readonly handle: (item: Item) => Promise<void>;
  private readonly handledAtOnce: number;
  private readonly waiting: Item[] = [];
  private readonly handled = new Set<Promise<void>>();
  private isPaused = false;
  private onRoom = (): void => undefined;

  /** @param handle judges or discards a result; does not reject. */
  constructor(handledAtOnce: number, handle: (item: Item) => Promise<void>) {
    this.handledAtOnce = handledAtOnce;
    this.handle = handle;
  }

  /** Resolves once there is room for another result. */
  async add(item: Item): Promise<void> {
    this.waiting.push(item);
    this.pump();
    while (this.waiting.length >= MOST_WAITING) await new Promise<void>((resolve) => (this.onRoom = resolve));
  }

  /** Begins with no further result, and waits for those in progress. */
  async pause(): Promise<void> {
    this.isPaused = true;
    await Promise.all(this.handled);
  }

  resume(): void {
    this.isPaused = false;
    this.pump();
  }

  /** Forgets the results that wait. */
  clear(): void {
    this.waiting.length = 0;
    this.onRoom();
  }

  private pump(): void {
    while (!this.isPaused && this.handled.size < this.handledAtOnce) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.onRoom();
      const handling = this.handle(next);
      this.handled.add(handling);
      void handling.finally(() => {
        this.handled.delete(handling);
        this.pump();
      });
    }
  }
}
