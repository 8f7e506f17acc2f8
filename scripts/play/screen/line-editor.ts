import { createInterface, type Interface, type Key } from 'node:readline';
import type { ReadStream } from 'node:tty';
import { commonStart, type Completion } from '../completion.js';

/** Milliseconds after which a lone escape character is the key Esc. */
const ESCAPE_MS = 50;

/** Callbacks for the events of an editor. */
export interface EditorEvents {
  /** A whole line. */
  onLine(line: string): void;
  /** The line has changed, or the cursor has moved. */
  onEdit(line: string): void;
  /** Esc. */
  onEscape(): void;
  /** The screen was cleared, by Ctrl-L. */
  onClear(): void;
  /** Ctrl-C, Ctrl-D on an empty line, or the end of the input. */
  onEnd(): void;
  /** Ctrl-Z. */
  onSuspend(): void;
  /** Several possible continuations of the line, after Tab. */
  onCandidates(candidates: readonly string[]): void;
  complete(line: string): Completion;
}

/** Edits one line of a terminal with Node's readline: history, completion, and the keys of a shell. */
export class LineEditor {
  private readonly readline: Interface;
  private readonly events: EditorEvents;
  private readonly input: ReadStream;
  private readonly onKey: (text: string | undefined, key: Key) => void;
  private limit = Infinity;
  private isClosed = false;

  constructor(input: ReadStream, output: NodeJS.WritableStream, events: EditorEvents) {
    this.events = events;
    this.input = input;
    this.readline = createInterface({
      input,
      output,
      terminal: true,
      escapeCodeTimeout: ESCAPE_MS,
      historySize: 200,
      removeHistoryDuplicates: true,
      completer: (line: string): [string[], string] => this.complete(line),
    });
    this.readline.on('line', (line) => {
      events.onLine(line);
    });
    this.readline.on('SIGINT', () => {
      events.onEnd();
    });
    this.readline.on('SIGTSTP', () => {
      events.onSuspend();
    });
    this.readline.on('close', () => {
      if (!this.isClosed) events.onEnd();
    });
    this.onKey = (_text, key) => {
      this.followKey(key);
    };
    input.on('keypress', this.onKey);
  }

  /** The line as typed so far. */
  get line(): string {
    return this.readline.line;
  }

  /** Writes the prompt and the line at the cursor; the cursor is at the beginning of an empty line. */
  show(prompt: string, columns: number): void {
    // A longer line would wrap, and scroll the screen.
    this.limit = Math.max(1, columns - prompt.length - 2);
    this.readline.setPrompt(prompt);
    this.readline.prompt(true);
  }

  /** Reads keys again after the process was suspended. */
  resume(): void {
    this.input.setRawMode(true);
    this.readline.resume();
  }

  /** Stops reading keys while the process is suspended. */
  pause(): void {
    this.input.setRawMode(false);
  }

  /** Closes the editor; the terminal reads whole lines again. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.input.off('keypress', this.onKey);
    this.readline.close();
  }

  private followKey(key: Key): void {
    if (this.isClosed) return;
    if (key.name === 'escape') this.events.onEscape();
    if (key.ctrl === true && key.name === 'l') this.events.onClear();
    if (this.line.length > this.limit) this.cutLine();
    this.events.onEdit(this.line);
  }

  /** Shortens the line to what the terminal shows. */
  private cutLine(): void {
    const kept = this.line.slice(0, this.limit);
    this.readline.write(null, { ctrl: true, name: 'e' });
    this.readline.write(null, { ctrl: true, name: 'u' });
    this.readline.write(kept);
  }

  /** Extends the line as far as all candidates agree; the others are shown by `onCandidates`. */
  private complete(line: string): [string[], string] {
    const { fragment, candidates } = this.events.complete(line);
    this.events.onCandidates(candidates.length > 1 ? candidates : []);
    if (candidates.length === 1) return [[candidates[0]!], fragment];
    const common = commonStart(candidates);
    return common.length > fragment.length ? [[common], fragment] : [[], fragment];
  }
}
