import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../usage/usage-error.js';
import type { PoolWords } from './pool-option.js';

/** Whether the command line sets an option, which may have a default. */
export function isGiven(command: CommandUnknownOpts, name: string): boolean {
  return command.getOptionValueSource(name) === 'cli';
}

/**
 * Expects the command line to set none of these options, which would have no effect.
 *
 * @param names of their values, such as `replayShare`.
 * @param reason words that follow the name of an option, such as `with --pool only`.
 * @throws UsageError `option-conflict`.
 */
export function expectNoIdleOptions(
  command: CommandUnknownOpts,
  names: readonly string[],
  reason: string,
): void {
  const idle = command.options.find((option) => {
    const name = option.attributeName();
    return names.includes(name) && isGiven(command, name);
  });
  if (idle === undefined) return;
  throw new UsageError(command, 'option-conflict', `expected ${idle.long!} ${reason}`);
}

/** @throws UsageError `option-conflict` for options of a pool without one. */
export function expectNoIdlePoolOptions(command: CommandUnknownOpts, { pool }: PoolWords): void {
  if (pool === undefined) expectNoIdleOptions(command, ['anyProcessor', 'replayShare'], 'with --pool only');
}
