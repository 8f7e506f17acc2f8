import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { CommanderError } from '@commander-js/extra-typings';
import { removeUnfinished } from '../data/files/unfinished-paths.js';
import { CodedError } from '../env/errors.js';
import { errorText, isError } from '../env/text/error-text.js';
import { cleanMessage } from '../env/text/quoted-text.js';
import { processOutput } from './output.js';
import { createProgram } from './program.js';
import { endAtSignal } from './stopping/end-at-signal.js';
import { endProcess } from './stopping/end-process.js';
import { UsageError } from './usage/usage-error.js';

/** The text of an error for the user: one line with its code, or its stack trace. */
function describe(error: Error, debug: boolean): string {
  if (debug) return error.stack ?? error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  const hint = error instanceof CodedError ? '' : ' (--debug shows where)';
  return `${cleanMessage(errorText(error))} [${code}]${hint}`;
}

/** Prints an error for the user and returns the exit code: 2 for wrong use, 1 for failed work. */
function report(error: unknown, debug: boolean): number {
  if (!isError(error)) {
    processOutput.message(`gess: ${cleanMessage(errorText(error))} [failed]`);
    return 1;
  }
  // Commander has printed the help or the version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  processOutput.message(`gess: ${describe(error, debug)}`);
  if (error instanceof UsageError) processOutput.message(`(${error.hint})`);
  return error instanceof CodedError ? error.exitCode : 1;
}

/** Ends with one line instead of a stack trace if stdout cannot be written, and ignores a closed stderr. */
function survivePipes(): void {
  // After `2>&1 | head`, or once the terminal is closed, the work continues silently.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe early, such as `head`, is not an error.
    if (error.code !== 'EPIPE') {
      const code = error.code === 'ENOSPC' ? 'disk-full' : 'write-failed';
      processOutput.message(`gess: cannot write the result: ${error.code ?? error.message} [${code}]`);
    }
    process.exit(1);
  });
}

/**
 * Keeps the exit code after the terminal was closed. At exit Node resets every descriptor that was a terminal and
 * aborts if one is gone (`ResetStdio` in node.cc), but not if the descriptor is another file by then.
 */
function surviveTerminal(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.on('exit', () => {
    for (const descriptor of terminals) {
      if (isatty(descriptor)) continue;
      closeSync(descriptor);
      openSync('/dev/null', 'r+');
    }
  });
}

// At every end but a kill: a signal, the second of two, a closed terminal, an error while other files are written.
process.on('exit', removeUnfinished);
endAtSignal(processOutput, process.argv.slice(2));
survivePipes();
surviveTerminal();
const program = createProgram(processOutput);
const fail = async (error: unknown): Promise<void> => {
  await endProcess(report(error, program.opts().debug ?? false));
};
// Thrown outside of the command's own calls: in a timer of a game module, or in a library.
process.on('uncaughtException', (error: unknown) => void fail(error));
await program.parseAsync().catch(fail);
