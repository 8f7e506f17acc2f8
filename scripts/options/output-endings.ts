import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { quote } from '../../env/text/quoted-text.js';
import { UsageError } from '../usage/usage-error.js';

/**
 * Checks the ending of a file to write, so that no file of a run is replaced by mistake.
 *
 * @param path undefined if the option was not given.
 * @throws UsageError `option-value`.
 */
export function expectEnding(
  command: CommandUnknownOpts,
  option: string,
  path: string | undefined,
  ending: string,
): void {
  if (path === undefined || path.toLowerCase().endsWith(ending)) return;
  throw new UsageError(
    command,
    'option-value',
    `expected a name ending in ${ending} for ${option}, got ${quote(path)}`,
  );
}
