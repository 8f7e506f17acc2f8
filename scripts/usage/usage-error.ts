import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { CodedError } from '../../env/errors.js';

/**
 * Machine-readable causes of wrong use of the command line.
 *
 * - `command-unknown`, `option-unknown`: the message has the nearest known name;
 * - `option-missing`: no required option, or none of several alternatives; `argument-missing`;
 * - `option-value`, `argument-value`: an invalid value;
 * - `option-conflict`: options that exclude each other;
 * - `argument-excess`: more arguments than the command takes, or more words than any command does.
 */
export type UsageErrorCode =
  | 'command-unknown'
  | 'option-unknown'
  | 'option-missing'
  | 'option-value'
  | 'option-conflict'
  | 'argument-missing'
  | 'argument-value'
  | 'argument-excess';

/** The words that call a command, such as `gess data merge`. */
export function pathOf(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Thrown for wrong use of the command line. */
export class UsageError extends CodedError<UsageErrorCode> {
  override readonly name = 'UsageError';
  /** A line for the user: where the right use is described. */
  readonly hint: string;

  constructor(command: CommandUnknownOpts, code: UsageErrorCode, message: string) {
    super(code, message);
    const lists = command.commands.length > 0 ? 'lists the commands' : 'describes the arguments and options';
    this.hint = `${pathOf(command)} --help ${lists}`;
  }
}
