import { nextTask } from '../../agents/next-task.js';

/** Lets work through in steps while it is open, so that it pauses between two of them. */
export class Gate {
  private opened: Promise<void> | null = null;
  private release: (() => void) | null = null;

  /** Holds work at its next step. */
  close(): void {
    this.opened ??= new Promise((resolve) => {
      this.release = resolve;
    });
  }

  /** Lets work go on. */
  open(): void {
    this.release?.();
    this.opened = null;
    this.release = null;
  }

  /** Lets messages in, and resolves when the gate is open. */
  async pass(): Promise<void> {
    await nextTask();
    while (this.opened !== null) await this.opened;
  }
}
