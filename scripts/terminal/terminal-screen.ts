import { sizeOfTerminal } from './terminal-size.js';

/** The part of a terminal's stream that is used. */
export interface TerminalOutput {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
}

const ENTER = '\x1b[?1049h';
const LEAVE = '\x1b[?1049l';
const CLEAR = '\x1b[2J';
const SAVE_CURSOR = '\x1b7';
const RESTORE_CURSOR = '\x1b8';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_LINE = '\x1b[K';

function moveTo(line: number): string {
  return `\x1b[${line + 1};1H`;
}

/**
 * The terminal as a screen of lines, on its alternate buffer, so that the earlier content returns at the end. Lines
 * that have not changed are not written again. The cursor stays where it was, on the line of the prompt.
 */
export class TerminalScreen {
  private readonly output: TerminalOutput;
  /** The lines as written last; undefined where other code has written. */
  private shown: (string | undefined)[] = [];
  private isEntered = false;

  constructor(output: TerminalOutput) {
    this.output = output;
  }

  get size(): { readonly columns: number; readonly lines: number } {
    const { columns, rows } = sizeOfTerminal(this.output);
    return { columns, lines: rows };
  }

  /** Switches to the alternate buffer. */
  enter(): void {
    this.isEntered = true;
    this.output.write(ENTER);
    this.clear();
  }

  /** Restores the terminal; a second call has no effect. */
  leave(): void {
    if (!this.isEntered) return;
    this.isEntered = false;
    this.output.write(`${SHOW_CURSOR}${LEAVE}`);
  }

  /** Empties the screen; the next `draw` writes all lines. */
  clear(): void {
    this.shown = [];
    this.output.write(CLEAR);
  }

  /** Moves the cursor to the beginning of a line and empties it. */
  goTo(line: number): void {
    this.output.write(`${moveTo(line)}${CLEAR_LINE}`);
  }

  /** Marks a line as overwritten by other code. */
  forget(line: number): void {
    this.shown[line] = undefined;
  }

  /** Shows lines, from the top; undefined ones belong to other code. Each is at most as wide as the terminal. */
  draw(lines: readonly (string | undefined)[]): void {
    if (!this.isEntered) return;
    const changes = lines.flatMap((line, index) =>
      line === undefined || line === this.shown[index] ? [] : [`${moveTo(index)}${line}${CLEAR_LINE}`],
    );
    this.shown = [...lines];
    if (changes.length === 0) return;
    this.output.write(`${HIDE_CURSOR}${SAVE_CURSOR}${changes.join('')}${RESTORE_CURSOR}${SHOW_CURSOR}`);
  }
}
