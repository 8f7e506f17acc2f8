import { stripVTControlCharacters } from 'node:util';
import { sizeOfTerminal } from './terminal-size.js';

/** The part of a terminal's stream that is used. */
export interface BlockStream {
  readonly columns: number;
  write(text: string): unknown;
}

const CLEAR_BELOW = '\x1b[J';

/**
 * Lines at the bottom of a terminal that change in place, such as a progress bar. Other text is written above them, so
 * neither overwrites the other. The cursor stays visible: a killed process leaves the terminal usable.
 */
export class TerminalBlock {
  private readonly stream: BlockStream;
  private lines: readonly string[] = [];

  constructor(stream: BlockStream) {
    this.stream = stream;
  }

  /** Replaces the lines; an empty list removes the block. Each should be narrower than the terminal. */
  show(lines: readonly string[]): void {
    if (lines.length === this.lines.length && lines.every((line, index) => line === this.lines[index]))
      return;
    const clear = this.clearing();
    this.lines = [...lines];
    this.stream.write(clear + lines.join('\n'));
  }

  /** Writes whole lines above the block. */
  write(text: string): void {
    this.stream.write(this.clearing() + text + this.lines.join('\n'));
  }

  /** Moves to the first line of the block and removes it. A terminal that became narrower has wrapped its lines. */
  private clearing(): string {
    if (this.lines.length === 0) return '';
    const { columns } = sizeOfTerminal(this.stream);
    const rows = this.lines.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns)),
      0,
    );
    return `\r${rows > 1 ? `\x1b[${rows - 1}A` : ''}${CLEAR_BELOW}`;
  }
}
