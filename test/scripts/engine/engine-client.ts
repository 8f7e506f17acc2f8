import { onTestFinished } from 'vitest';
import { Engine } from '../../../scripts/engine/engine.js';

/** An engine in this process, and the lines that it has written. */
export class EngineClient {
  readonly lines: string[] = [];
  private readonly engine: Engine;
  private onLine: (() => void) | undefined;

  /** @param onEnd receives the function that closes the engine; by default it runs at the end of the test. */
  constructor(agent: string | undefined, onEnd: (close: () => Promise<void>) => void = onTestFinished) {
    const settings = { game: 'connect-four', rules: 'default', agent, multiPv: 1, seed: 1 };
    this.engine = new Engine(settings, (line) => {
      this.lines.push(line);
      this.onLine?.();
    });
    onEnd(() => this.engine.close());
  }

  /** Sends lines; returns whether the engine reads on. */
  send(...lines: string[]): boolean {
    return lines.every((line) => this.engine.receive(line));
  }

  /** Sends lines and waits for one that begins with `start`; returns the lines from the first answer to it. */
  async ask(start: string, ...lines: string[]): Promise<string[]> {
    const from = this.lines.length;
    this.send(...lines);
    await this.until(() => this.lines.slice(from).some((line) => line.startsWith(start)));
    return this.lines.slice(from);
  }

  /** Waits until lines written from now on make `isReached` true. */
  until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (isReached()) resolve();
      };
      this.onLine = check;
      check();
    });
  }

  /** Ends the input. */
  finish(stops = false): Promise<void> {
    return this.engine.finish(stops);
  }
}
