import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { GAME_IDS } from '../../env/games.js';

/** An option as a shell completes it. */
export interface CompletedOption {
  /** `--preset` */
  readonly flag: string;
  readonly description: string;
  /** Whether a value follows. */
  readonly hasValue: boolean;
  /** The values, where there is a list. */
  readonly values: readonly string[];
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** Words before it: `data` for `gess data verify`; empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** Includes the options of the commands above it. */
  readonly options: readonly CompletedOption[];
  /** Values of its arguments, where there is a list. */
  readonly values: readonly string[];
}

/** Values of options that take others too, such as the file of a game's module. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = { '--game': GAME_IDS };

function optionsOf(command: CommandUnknownOpts): readonly CompletedOption[] {
  const own = command.options.flatMap(({ long, description, required, optional, argChoices }) =>
    typeof long !== 'string'
      ? []
      : [
          {
            flag: long,
            description,
            hasValue: required || optional,
            values: argChoices ?? KNOWN_VALUES[long] ?? [],
          },
        ],
  );
  if (command.parent !== null) return [...own, ...optionsOf(command.parent)];
  return [...own, { flag: '--help', description: 'display help', hasValue: false, values: [] }];
}

/** The values of a command's arguments: those of a list, or the names of the commands that `help` takes. */
function valuesOf(command: CommandUnknownOpts): readonly string[] {
  if (command.name() === 'help') {
    return (command.parent?.commands ?? []).map((known) => known.name()).filter((name) => name !== 'help');
  }
  return command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
}

/** All commands below one, itself first. All must be defined. */
export function completedCommands(
  command: CommandUnknownOpts,
  path: readonly string[] = [],
): readonly CompletedCommand[] {
  const commands = command.commands.map((part) => ({ name: part.name(), description: part.description() }));
  const own: CompletedCommand = {
    path,
    description: command.description(),
    commands,
    options: optionsOf(command),
    values: valuesOf(command),
  };
  return [own, ...command.commands.flatMap((part) => completedCommands(part, [...path, part.name()]))];
}
