import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import { type OptionalPackage, PackageError } from '../../env/optional-packages.js';
import { notInstalled } from '../../training/software-version.js';
import type { Output } from '../output.js';
import { addExamples } from './command-examples.js';
import { throwUsageErrors } from './parse-errors.js';

/** Declares the arguments and flags of a command and its action. */
export type DefineCommand = (command: Command, output: Output) => void;

/** A command whose module is loaded when the command is used: the program starts fast and without large libraries. */
export interface LazyCommand {
  readonly summary: string;
  readonly load: () => Promise<DefineCommand>;
  /** Optional packages that the command requires. */
  readonly packages?: readonly OptionalPackage[];
}

/** The type of a command's options, inferred from the function that declares them. */
export type OptionsOf<Declare extends (command: Command) => { opts(): unknown }> = ReturnType<
  ReturnType<Declare>['opts']
>;

/** @throws PackageError `package-missing` with all packages of the list that are not installed. */
function expectPackages(names: readonly OptionalPackage[]): void {
  const missing = notInstalled(names);
  if (missing.length > 0) throw new PackageError(missing);
}

/** Adds commands by name. The help lists them all; each is loaded and defined when it is used. */
export function addLazyCommands(
  parent: CommandUnknownOpts,
  output: Output,
  commands: Readonly<Record<string, LazyCommand>>,
): void {
  const added = new Map<string, Command>();
  for (const [name, { summary }] of Object.entries(commands)) {
    const command = parent.command(name).description(summary);
    throwUsageErrors(command);
    added.set(name, command);
  }
  // Commander's own help command prints the help of a command that is not defined yet.
  parent
    .helpCommand(false)
    .command('help')
    .argument('[command...]')
    .description('display help for a command')
    .action(async (words) => {
      await parent.parseAsync([...words, '--help'], { from: 'user' });
    });
  parent.hook('preSubcommand', async (_parent, used) => {
    const name = used.name();
    const command = added.get(name);
    if (command === undefined) return;
    const { load, packages = [] } = commands[name]!;
    expectPackages(packages);
    const define = await load();
    define(command, output);
    addExamples(command);
    added.delete(name);
  });
  pending.set(parent, async () => {
    for (const [name, command] of added) {
      const define = await commands[name]!.load();
      define(command, output);
      addExamples(command);
      added.delete(name);
      await defineAll(command);
    }
  });
}

/** By parent, a function that defines its commands that are not defined yet. */
const pending = new WeakMap<CommandUnknownOpts, () => Promise<void>>();

/**
 * Defines all lazy commands below `parent`, for programs that list them.
 *
 * @throws PackageError if a command's module needs a package that is not installed.
 */
export async function defineAll(parent: CommandUnknownOpts): Promise<void> {
  await pending.get(parent)?.();
}
