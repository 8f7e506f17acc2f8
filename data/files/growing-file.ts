import { stat } from 'node:fs/promises';
import { writeAndSync, writeFailure, writeFileAtomic } from './atomic-file.js';
import { readInputIfThere } from './input-file.js';

async function append(path: string, content: Uint8Array): Promise<void> {
  try {
    await writeAndSync(path, content, 'append');
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/**
 * Sets the content of a file. If the file holds a prefix of `content`, the rest is appended, so that programs that
 * follow the file keep their place; a process killed meanwhile leaves a longer prefix. Any other file is replaced
 * atomically.
 *
 * @throws DataError `file-unreadable`, `file-too-large`, `disk-full`, `write-failed`.
 */
export async function writeGrowingFile(path: string, content: Uint8Array): Promise<void> {
  const found = await readInputIfThere(path, 'events');
  if (found?.equals(content.subarray(0, found.length)) !== true) return writeFileAtomic(path, content);
  if (found.length < content.length) await append(path, content.subarray(found.length));
}

/**
 * A file of lines that one process extends. A line costs the same however long the file is: only the size of the file
 * is compared with that of the lines. A file of another size, such as one with half a line of a failed write, is
 * replaced atomically.
 */
export class GrowingLines {
  private readonly path: string;
  private readonly lines: string[];
  /** Number of lines in the file, and their bytes. */
  private stored: { readonly lines: number; readonly bytes: number };
  private writing: Promise<void> = Promise.resolve();

  /**
   * @param lines the sound lines of the file, each with its newline; the first `add` removes all others.
   */
  constructor(path: string, lines: readonly string[]) {
    this.path = path;
    this.lines = [...lines];
    this.stored = { lines: lines.length, bytes: Buffer.byteLength(lines.join('')) };
  }

  /**
   * Adds a line. One that could not be written is written with the next one.
   *
   * @param line with its newline.
   * @throws DataError `disk-full`, `write-failed`.
   */
  async add(line: string): Promise<void> {
    this.lines.push(line);
    // Lines that are added meanwhile are written together.
    this.writing = this.writing.catch(() => undefined).then(() => this.write());
    await this.writing;
  }

  private async write(): Promise<void> {
    const { path, lines, stored } = this;
    const count = lines.length;
    if (count === stored.lines) return;
    const found = await stat(path).catch(() => null);
    if (found?.isFile() === true && found.size === stored.bytes) {
      const added = Buffer.from(lines.slice(stored.lines, count).join(''));
      await append(path, added);
      this.stored = { lines: count, bytes: stored.bytes + added.length };
    } else {
      const all = Buffer.from(lines.slice(0, count).join(''));
      await writeFileAtomic(path, all);
      this.stored = { lines: count, bytes: all.length };
    }
  }
}
