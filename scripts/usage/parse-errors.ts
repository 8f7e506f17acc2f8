import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import { countOf } from '../../env/text/count-of.js';
import { suggestName } from '../../env/text/nearest-name.js';
import { quote } from '../../env/text/quoted-text.js';
import { pathOf, UsageError, type UsageErrorCode } from './usage-error.js';

/** Wrong use by the code of Commander, except that which `usageErrorOf` treats on its own. */
const FAULTS: Readonly<Record<string, { readonly code: UsageErrorCode; readonly missing?: string }>> = {
  'commander.missingMandatoryOptionValue': { code: 'option-missing', missing: 'the option' },
  'commander.optionMissingArgument': { code: 'option-value', missing: 'a value of the option' },
  'commander.conflictingOption': { code: 'option-conflict' },
  'commander.missingArgument': { code: 'argument-missing', missing: 'the argument' },
};

/** Commander's message about a value that a parser or a list of choices rejects. */
const INVALID_VALUE =
  /^error: (?:option '([^']*)' argument|command-argument value) '(.*)' is invalid(?: for argument '([^']*)')?\. (.*)$/s;

/** The names of the options that a command takes, those of the commands above it included. */
function flagsOf(command: CommandUnknownOpts): readonly string[] {
  const own = command.options
    .flatMap(({ long, short }) => [long, short])
    .filter((flag) => typeof flag === 'string');
  return command.parent === null ? [...own, '--help'] : [...own, ...flagsOf(command.parent)];
}

/** The first word that looks like an option but is none of the command's; undefined if there is none. */
function unknownFlagOf(command: CommandUnknownOpts): string | undefined {
  const known = new Set([...flagsOf(command), '-h', '--']);
  return command.args.find((word) => /^-[^\d.]/.test(word) && !known.has(nameOf(word)));
}

/** The name of a flag without its value, `--name=value`. */
function nameOf(flag: string): string {
  return flag.replace(/=.*$/s, '');
}

function unknownFlag(command: CommandUnknownOpts, flag: string): UsageError {
  const name = nameOf(flag);
  const end = suggestName(name, flagsOf(command));
  return new UsageError(command, 'option-unknown', `unknown option ${quote(name)}${end}`);
}

function unknownCommand(command: CommandUnknownOpts, name: string): UsageError {
  const names = command.commands.map((known) => known.name());
  const end = suggestName(name, names, `; there are ${names.join(', ')}`);
  return new UsageError(command, 'command-unknown', `unknown command ${quote(name)}${end}`);
}

/** The values that an option or an argument allows; undefined if it has no list. */
function choicesOf(command: CommandUnknownOpts, place: string): readonly string[] | undefined {
  const option = command.options.find(({ flags }) => flags === place);
  const argument = command.registeredArguments.find((known) => known.name() === place);
  return option?.argChoices ?? argument?.argChoices;
}

function invalidValue(command: CommandUnknownOpts, message: string): UsageError {
  const [, flags, value = '', argument = '', expected = message] = INVALID_VALUE.exec(message) ?? [];
  const place = flags ?? argument;
  const choices = choicesOf(command, place);
  const wanted =
    choices === undefined
      ? expected.replace(/^E/, 'e').replace(/\.$/, '')
      : `expected one of ${choices.join(', ')}`;
  const end = choices === undefined ? '' : suggestName(value, choices);
  const code = flags === undefined ? 'argument-value' : 'option-value';
  return new UsageError(command, code, `${place}: ${wanted}; got ${quote(value)}${end}`);
}

function excessArguments(command: CommandUnknownOpts): UsageError {
  const { args, registeredArguments } = command;
  const most = registeredArguments.length;
  const expected = most === 0 ? 'no arguments' : countOf(most, 'argument');
  const found = `got ${args.length}, the first unexpected one is ${quote(args[most] ?? '')}`;
  return new UsageError(command, 'argument-excess', `expected ${expected} of ${pathOf(command)}, ${found}`);
}

/** The word in quotes of one of Commander's messages. */
function quotedIn(message: string): string {
  return /'(.*)'/s.exec(message)?.[1] ?? '';
}

/**
 * The usage error of one of Commander's errors. An unknown option is reported before other faults, because it may be
 * their cause: a mistyped `--out` leaves `--out` missing.
 */
function usageErrorOf(command: CommandUnknownOpts, { code, message }: CommanderError): UsageError {
  if (code === 'commander.unknownCommand') return unknownCommand(command, quotedIn(message));
  if (code === 'commander.unknownOption') return unknownFlag(command, quotedIn(message));
  const flag = unknownFlagOf(command);
  if (flag !== undefined) return unknownFlag(command, flag);
  if (code === 'commander.invalidArgument') return invalidValue(command, message);
  if (code === 'commander.excessArguments') return excessArguments(command);
  const fault = FAULTS[code] ?? { code: 'option-value' };
  const { missing } = fault;
  const text =
    missing === undefined
      ? message.replace(/^error: /, '')
      : `expected ${missing} ${quote(quotedIn(message))}`;
  return new UsageError(command, fault.code, text);
}

/** @throws UsageError `command-unknown` if the help of an unknown command is asked for: Commander shows that of all. */
function expectKnownCommand(command: CommandUnknownOpts): void {
  const [name] = command.args;
  if (name === undefined || name.startsWith('-') || command.commands.length === 0) return;
  if (!command.commands.some((known) => known.name() === name)) throw unknownCommand(command, name);
}

/** Makes a command throw a `UsageError` for wrong use. Ends by `--help` and `--version` stay `CommanderError`s. */
export function throwUsageErrors(command: CommandUnknownOpts): void {
  command.addHelpText('before', () => {
    expectKnownCommand(command);
    return '';
  });
  command.exitOverride((error) => {
    throw error.code.startsWith('commander.help') || error.code === 'commander.version'
      ? error
      : usageErrorOf(command, error);
  });
}
