import type { CodedError } from '../../env/errors.js';
import type { Output } from '../output.js';
import { inputLines, NOT_UTF8, OVERLONG } from '../../env/processes/input-lines.js';

/** Longest accepted line in bytes. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

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
 * Answers the lines of a stream, in order, until it ends; blank lines have no answer. Waits while the answers are not read, so
 * a client that only writes cannot make this process grow.
 */
export async function answerLines(
  output: Output,
  input: AsyncIterable<Uint8Array>,
  { answer, refuse, errorOf }: LineProtocol,
): Promise<void> {
  for await (const line of inputLines(input, MAX_LINE_BYTES)) {
    if (line === OVERLONG) {
      await output.line(
        refuse(errorOf('request-size', `expected a line of at most ${MAX_LINE_BYTES} bytes`)),
      );
    } else if (line === NOT_UTF8)
      await output.line(refuse(errorOf('request-syntax', 'expected a line of UTF-8')));
    else if (line.trim() !== '') await output.line(answer(line));
  }
}
