import { nextTask } from '../../../agents/next-task.js';

/** Lets work pass between two steps while it is open, and holds it while it is closed. */
export class Gate {
  private opened: Promise<void> | null = null;
  private release: (() => void) | null = null;

  /** Holds work before its next step. */
  close(): void {
    this.opened ??= new Promise((resolve) => {
      this.release = resolve;
    });
  }

  /** Lets work continue. */
  open(): void {
    this.release?.();
    this.opened = null;
    this.release = null;
  }

  /** Lets the worker receive messages, and resolves when the gate is open. */
  async pass(): Promise<void> {
    await nextTask();
    while (this.opened !== null) await this.opened;
  }
}
