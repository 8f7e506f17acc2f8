// Needs Node: processes that start bound to a core.
import type { ForkOptions } from 'node:child_process';

/**
 * Options by which `fork` starts Node bound to a core of Linux: `taskset` binds itself and becomes Node, so that every
 * thread is bound from the start.
 *
 * @param core by default Node is not bound.
 */
export function nodeOnCore(
  core: number | undefined,
  nodeOptions: readonly string[] = process.execArgv,
): Pick<ForkOptions, 'execPath' | 'execArgv'> {
  if (core === undefined) return { execArgv: [...nodeOptions] };
  return { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath, ...nodeOptions] };
}
