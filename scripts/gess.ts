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

const program = throwOnExit(createProgram(processOutput));
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error, program.opts<{ debug?: boolean }>().debug ?? false);
}
