import type { CodedError } from '../../env/errors.js';
import { inputLines, NOT_UTF8, OVERLONG } from '../../env/processes/input-lines.js';
import type { Output } from '../output.js';

/** Longest accepted line in bytes. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

const FAULTS = {
  size: `expected a line of at most ${MAX_LINE_BYTES} bytes`,
  syntax: 'expected a line of UTF-8',
} as const;

/** Takes the lines of a stream. The next line is read once the promise for the previous one has resolved. */
export interface LineReader {
  /** Takes a line that is not blank; false ends the reading. */
  readonly take: (line: string) => Promise<boolean>;
  /** Called in place of `take` for a line that is too long (`size`) or is not UTF-8 (`syntax`). */
  readonly refuse: (fault: keyof typeof FAULTS, message: string) => Promise<void>;
}

/**
 * Reads the lines of a stream until it ends, or until a line ends the reading.
 *
 * @returns whether the stream has ended.
 */
export async function readLines(
  input: AsyncIterable<Uint8Array>,
  { take, refuse }: LineReader,
): Promise<boolean> {
  for await (const line of inputLines(input, MAX_LINE_BYTES)) {
    if (line === OVERLONG) await refuse('size', FAULTS.size);
    else if (line === NOT_UTF8) await refuse('syntax', FAULTS.syntax);
    else if (line.trim() !== '' && !(await take(line))) return false;
  }
  return true;
}

/** A protocol of lines: each request is a line, and so is its answer. */
export interface LineProtocol {
  /** The answer to a line. */
  readonly answer: (line: string) => string;
  /** The answer to a line that cannot be read. */
  readonly refuse: (error: CodedError) => string;
  /** The error of a line that is too long or is not UTF-8. */
  readonly errorOf: (code: 'request-size' | 'request-syntax', message: string) => CodedError;
}

/**
 * Answers the lines of a stream, in order, until it ends; blank lines have no answer. Waits until the answers are read,
 * so a client that only writes cannot make this process grow.
 */
export async function answerLines(
  output: Output,
  input: AsyncIterable<Uint8Array>,
  { answer, refuse, errorOf }: LineProtocol,
): Promise<void> {
  await readLines(input, {
    take: async (line) => {
      await output.line(answer(line));
      return true;
    },
    refuse: (fault, message) => output.line(refuse(errorOf(`request-${fault}`, message))),
  });
}
