import type { ReadStream, WriteStream } from 'node:tty';
import { completeLine } from '../completion.js';
import type { PlayTable } from '../play-table.js';
import { Prompt } from '../prompt.js';
import { FOOT_LINES } from './frame-layout.js';
import { LineEditor } from './line-editor.js';
import { ScreenView } from './screen-view.js';
import { suspendProcess } from '../../terminal/suspended-process.js';
import type { TerminalFacts } from '../../terminal/terminal-facts.js';
import { TerminalScreen } from '../../terminal/terminal-screen.js';

/** Time between two drawings of a running search, for its clock. */
const TICK_MS = 250;

/** Signals that end the game; it is saved already. */
const ENDING_SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/** The streams of a terminal. */
export interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly facts: TerminalFacts;
}

/** Plays on the whole screen of a terminal until somebody quits. */
export class ScreenPlay {
  private readonly table: PlayTable;
  private readonly terminal: Terminal;
  private readonly screen: TerminalScreen;
  private readonly view: ScreenView;
  private readonly prompt: Prompt;
  private editor: LineEditor | undefined;
  private shownPrompt = '';
  private isDrawing = false;
  private failure: Error | undefined;
  private end: () => void = () => undefined;

  constructor(table: PlayTable, terminal: Terminal) {
    this.table = table;
    this.terminal = terminal;
    this.screen = new TerminalScreen(terminal.output);
    this.view = new ScreenView(table, terminal.facts, () => {
      this.scheduleDraw();
    });
    table.view = this.view;
    this.prompt = new Prompt(table);
  }

  /** Plays; resolves at the end, with the terminal as it was before. */
  async run(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.end = resolve;
    });
    const resize = (): void => {
      this.redraw();
    };
    const ticker = setInterval(() => {
      if (this.table.thinking !== undefined) this.draw();
    }, TICK_MS);
    this.terminal.output.on('resize', resize);
    for (const signal of ENDING_SIGNALS) process.on(signal, this.end);
    process.on('exit', this.giveBack);
    this.screen.enter();
    try {
      this.editor = this.createEditor();
      this.redraw();
      this.follow(this.prompt.begin());
      await ended;
    } finally {
      clearInterval(ticker);
      this.terminal.output.off('resize', resize);
      for (const signal of ENDING_SIGNALS) process.off(signal, this.end);
      this.giveBack();
      process.off('exit', this.giveBack);
    }
    if (this.failure !== undefined) throw this.failure;
  }

  /** Restores the terminal; also when the process ends by an error. */
  private readonly giveBack = (): void => {
    this.editor?.close();
    this.editor = undefined;
    this.screen.leave();
  };

  private createEditor(): LineEditor {
    return new LineEditor(this.terminal.input, this.terminal.output, {
      onLine: (line) => {
        this.enter(line);
      },
      onEdit: (line) => {
        this.view.setTyped(line);
        // Readline clears the screen below its line.
        this.screen.forget(this.terminal.output.rows - 1);
        this.scheduleDraw();
      },
      onEscape: () => {
        this.enter('');
      },
      onClear: () => {
        this.redraw();
      },
      onEnd: () => {
        this.end();
      },
      onSuspend: () => {
        this.suspend();
      },
      onCandidates: (candidates) => {
        this.view.setNote(candidates.length === 0 ? undefined : candidates.join(' '));
      },
      complete: (line) => {
        const { game, session, chosen } = this.table;
        return completeLine({ game, state: session.state, chosen }, line);
      },
    });
  }

  private enter(line: string): void {
    this.view.clearAnswer();
    this.view.setTyped('');
    this.follow(this.prompt.receive(line));
    // Readline has moved on to the next line.
    this.redrawPrompt();
    this.scheduleDraw();
    if (this.prompt.hasQuit) this.end();
  }

  /** Ends the game if the execution of a line fails for a reason other than its content. */
  private follow(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.end();
    });
  }

  private scheduleDraw(): void {
    if (this.isDrawing) return;
    this.isDrawing = true;
    setImmediate(() => {
      this.isDrawing = false;
      this.draw();
    });
  }

  private draw(): void {
    // The table asks for an update once it has saved.
    if (this.editor === undefined || this.table.isSaving) return;
    this.screen.draw(this.view.lines(this.screen.size));
    if (this.promptText() !== this.shownPrompt) this.redrawPrompt();
  }

  /** Redraws everything, for example after a resize. */
  private redraw(): void {
    if (this.editor === undefined) return;
    this.screen.clear();
    this.redrawPrompt();
    this.draw();
  }

  private redrawPrompt(): void {
    const { columns, rows } = this.terminal.output;
    this.shownPrompt = this.promptText();
    this.screen.goTo(Math.max(0, rows - FOOT_LINES));
    this.editor?.show(this.shownPrompt, columns);
    this.screen.forget(rows - 1);
    this.scheduleDraw();
  }

  private promptText(): string {
    const { session, game, chosen } = this.table;
    const player = session.isAgainstAgent ? session.seats.indexOf('person') : session.player;
    return `${game.playerNames[player]!}${chosen === undefined ? '' : ` ${chosen}-`}> `;
  }

  /** Ctrl-Z: stops the process, with the terminal as it was, until it is continued. */
  private suspend(): void {
    this.editor?.pause();
    this.screen.leave();
    suspendProcess();
    this.screen.enter();
    this.editor?.resume();
    this.redraw();
  }
}
