import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createProgram } from '../../../scripts/program.js';
import { defineAll } from '../../../scripts/usage/lazy-commands.js';
import { captureOutput } from '../captured-output.js';

/** All commands that do work themselves, not only through sub-commands. */
export async function listCommands(): Promise<readonly CommandUnknownOpts[]> {
  const program = createProgram(captureOutput());
  await defineAll(program);
  const below = (command: CommandUnknownOpts): readonly CommandUnknownOpts[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(below);
  return below(program).filter((command) => command.name() !== 'help');
}
