import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { CommanderError } from 'commander';
import { CodedError } from '../env/errors.js';
import { processOutput } from './output.js';
import { createProgram, throwOnExit } from './program.js';

/** Prints what went wrong for the person who ran the command, and returns the exit code. */
function report(error: unknown, debug: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CodedError && !debug) {
    processOutput.message(`gess: ${error.message} [${String(error.code)}]`);
    return error.exitCode;
  }
  const text =
    error instanceof Error ? (debug ? (error.stack ?? error.message) : error.message) : String(error);
  processOutput.message(`gess: ${text}${debug ? '' : ' (--debug shows where)'}`);
  return error instanceof CodedError ? error.exitCode : 1;
}

/** A stream that nobody reads any more, or without room, is told in one line and not by a crash. */
function survivePipes(): void {
  // A terminal that was closed, `2>&1 | head`: the work goes on in silence.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, as `head`, is no news.
    if (error.code !== 'EPIPE')
      processOutput.message(`gess: cannot write the result: ${error.code ?? error.message}`);
    process.exit(1);
  });
}

/**
 * Lets the program end in its own way after its terminal was closed: Node puts terminals back in order at its end, and aborts
 * where one is gone (`ResetStdio` in node.cc), but not where the number is of another file by then.
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

survivePipes();
surviveTerminal();
const program = throwOnExit(createProgram(processOutput));
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error, program.opts<{ debug?: boolean }>().debug ?? false);
}
