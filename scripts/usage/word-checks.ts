import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from './usage-error.js';

/** Maximum number of words after `gess`: Commander copies the list of words repeatedly. */
const MAX_WORDS = 10_000;

/** Options for which an empty text has a meaning: a list without moves. */
const EMPTY_ALLOWED: readonly string[] = ['moves'];

/** @throws UsageError `argument-excess` for more than 10,000 words. */
export function expectFewWords(command: CommandUnknownOpts, words: readonly string[]): void {
  if (words.length <= MAX_WORDS) return;
  throw new UsageError(
    command,
    'argument-excess',
    `expected at most ${MAX_WORDS} words, got ${words.length}; name a folder instead of its files, --config instead of many --set`,
  );
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.includes(''));
}

/** @throws UsageError `option-value`, `argument-value` for an empty text, such as that of `--out ''`. */
export function expectFullWords(command: CommandUnknownOpts): void {
  const values = command.opts() as Readonly<Record<string, unknown>>;
  for (const option of command.options) {
    const name = option.attributeName();
    if (isEmpty(values[name]) && !EMPTY_ALLOWED.includes(name)) {
      throw new UsageError(command, 'option-value', `${option.flags}: expected a value; got ''`);
    }
  }
  const index = command.args.indexOf('');
  if (index < 0) return;
  const argument = command.registeredArguments[index] ?? command.registeredArguments.at(-1);
  throw new UsageError(
    command,
    'argument-value',
    `${argument?.name() ?? 'argument'}: expected a value; got ''`,
  );
}
