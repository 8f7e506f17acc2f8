import type { ReadStream } from 'node:tty';

/** Control characters of keys. */
export const CTRL = { c: '\x03', l: '\x0c', z: '\x1a' } as const;

/** Keys of a terminal, one at a time and not shown; nothing where the input is no terminal. */
export class SingleKeys {
  private readonly input: ReadStream;
  private readonly onData: (data: Buffer) => void;

  /** @param onKey gets the characters that a key sends, such as `q` or `CTRL.c`. */
  constructor(input: ReadStream, onKey: (key: string) => void) {
    this.input = input;
    this.onData = (data) => {
      // Keys typed quickly arrive together; an escape sequence, such as that of an arrow, is one key.
      const text = data.toString();
      for (const key of text.startsWith('\x1b') ? [text] : text) onKey(key);
    };
  }

  /** Begins to read. */
  start(): void {
    if (!this.input.isTTY) return;
    this.input.setRawMode(true);
    this.input.on('data', this.onData);
    this.input.resume();
  }

  /** Ends reading; the terminal shows what is typed again. */
  stop(): void {
    if (!this.input.isTTY) return;
    this.input.off('data', this.onData);
    this.input.pause();
    this.input.setRawMode(false);
  }
}
