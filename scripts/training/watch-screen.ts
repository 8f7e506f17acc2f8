import { factsOf } from '../terminal/terminal-facts.js';
import { CTRL, SingleKeys } from '../terminal/single-keys.js';
import { suspendProcess } from '../terminal/suspended-process.js';
import { TerminalScreen } from '../terminal/terminal-screen.js';
import type { RunMoment } from './run-reader.js';
import { watchView } from './watch-view.js';
import { cutText } from '../text/columns.js';

/** The whole screen of the terminal, with the current moment of a run. */
export class WatchScreen {
  private readonly screen = new TerminalScreen(process.stdout);
  private readonly facts = factsOf(process.stdout, process.env, false);
  private readonly keys: SingleKeys;
  private readonly moment: () => RunMoment;

  /**
   * @param moment returns the current moment.
   * @param onEnd is called when the user ends watching.
   */
  constructor(moment: () => RunMoment, onEnd: () => void) {
    this.moment = moment;
    this.keys = new SingleKeys(process.stdin, (key) => {
      if (key === 'q' || key === CTRL.c) onEnd();
      if (key === CTRL.l) this.redraw();
      if (key === CTRL.z) this.suspend();
    });
  }

  /** Takes the terminal and shows the moment. */
  open(): void {
    process.stdout.on('resize', this.redraw);
    process.on('SIGTSTP', this.suspend);
    process.on('exit', this.giveBack);
    this.take();
  }

  /** Gives the terminal back for good. */
  close(): void {
    process.stdout.off('resize', this.redraw);
    process.off('SIGTSTP', this.suspend);
    process.off('exit', this.giveBack);
    this.giveBack();
  }

  /** Shows the current moment. */
  draw(): void {
    const { columns, lines } = this.screen.size;
    const view = watchView(this.moment(), { columns, lines: lines - 1 }, this.facts, Date.now() / 1000);
    // Clears the lines that remain of a longer previous view.
    const blank = Array.from({ length: Math.max(0, lines - 1 - view.length) }, () => '');
    const end = process.stdin.isTTY ? 'q' : 'Ctrl-C';
    this.screen.draw([...view, ...blank, cutText(`${end} ends watching; the run goes on`, columns - 1)]);
  }

  private readonly redraw = (): void => {
    this.screen.clear();
    this.draw();
  };

  private take(): void {
    this.screen.enter();
    this.keys.start();
    this.draw();
  }

  private readonly giveBack = (): void => {
    this.keys.stop();
    this.screen.leave();
  };

  /** Ctrl-Z: stops the process, with the terminal as it was, until it is continued. */
  private readonly suspend = (): void => {
    this.giveBack();
    suspendProcess();
    this.take();
  };
}
