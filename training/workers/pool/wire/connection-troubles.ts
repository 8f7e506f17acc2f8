import { cleanMessage } from '../../../../env/text/quoted-text.js';

/** Milliseconds between two reports: a hostile server could cause any number of them. */
const REPORT_MS = 10_000;

/** An option of connections. */
export interface TroubleListener {
  /** Called when the connection is lost, and when it cannot be made. */
  readonly onTrouble?: (error: Error) => void;
}

/** Why a connection to a server was lost, or could not be made again. */
export class ConnectionTroubles {
  /** The newest one; null if there was none. */
  newest: Error | null = null;
  private readonly say: (text: string) => void;
  private reportMs = -Infinity;
  private isOpen = false;

  /** @param say prints a message on a trouble of an open connection, unless the last one had the same reason. */
  constructor(say: (text: string) => void) {
    this.say = say;
  }

  /** From now on, troubles are reported: before, they end the attempt to connect. */
  open(): void {
    this.isOpen = true;
  }

  /** Notes a trouble. */
  add(error: Error): void {
    const before = this.newest;
    this.newest = error;
    const now = performance.now();
    if (!this.isOpen || before?.message === error.message || now - this.reportMs < REPORT_MS) return;
    this.reportMs = now;
    this.say(`trouble with the server of the pool: ${cleanMessage(error.message)}`);
  }
}
