import { CodedError } from '../../env/errors.js';
import { errorText } from '../../env/text/error-text.js';
import { LIVE_VERSION, type NewLiveState } from '../../training/run/live/live-file.js';
import type { ProgressTerminal } from '../output.js';
import { factsOf } from '../terminal/terminal-facts.js';
import { DRAW_MS } from '../progress/progress.js';
import { type RunMoment, RunReader } from './run-reader.js';
import { watchView } from './watch-view.js';

/** Lines of the terminal that messages above the view keep. */
const MESSAGE_LINES = 2;

/** Shows the run of this process below its messages, as `gess watch` does. A failure ends the view, not the run. */
export class RunView {
  private readonly terminal: ProgressTerminal;
  private readonly reader: RunReader;
  private readonly stateOf: () => NewLiveState;
  private readonly say: (text: string) => void;
  private readonly facts = factsOf(process.stderr, process.env, false);
  private moment: RunMoment | null = null;
  private readonly timer: NodeJS.Timeout;
  private isReading = false;
  private isEnded = false;

  /**
   * @param stateOf the state of the run, newer than that of its file.
   * @param say called once, with the reason, if the run cannot be shown.
   */
  constructor(
    terminal: ProgressTerminal,
    folder: string,
    { stateOf, say }: { readonly stateOf: () => NewLiveState; readonly say: (text: string) => void },
  ) {
    this.terminal = terminal;
    this.say = say;
    this.reader = new RunReader(folder);
    this.stateOf = stateOf;
    this.timer = setInterval(() => void this.update(), DRAW_MS);
    this.timer.unref();
    void this.update();
  }

  /** Draws again: a stage has begun. */
  draw(): void {
    if (this.moment === null || this.isEnded) return;
    const live = { liveVersion: LIVE_VERSION, ...this.stateOf() };
    const { columns, rows } = this.terminal;
    const size = { columns, lines: Math.max(4, rows - MESSAGE_LINES) };
    try {
      this.terminal.show(
        watchView({ ...this.moment, status: 'running', live }, size, this.facts, Date.now() / 1000),
      );
    } catch (error) {
      this.fail(error);
    }
  }

  /** Removes the view. */
  end(): void {
    this.isEnded = true;
    clearInterval(this.timer);
    this.terminal.show([]);
  }

  private fail(error: unknown): void {
    this.end();
    this.say(`cannot show the run: ${errorText(error)}`);
  }

  private async update(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      this.moment = await this.reader.read();
    } catch (error) {
      // The run itself reports faults of its files.
      if (!(error instanceof CodedError)) this.fail(error);
    } finally {
      this.isReading = false;
    }
    this.draw();
  }
}
