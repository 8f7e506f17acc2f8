import { spawnSync } from 'node:child_process';
import { TrainingError } from '../training-error.js';

/** Numbers of the cores on which this process may run, by `taskset`, such as `0-2,5`; null if it does not run. */
function allowedCores(): readonly number[] | null {
  const { status, stdout } = spawnSync('taskset', ['-c', '-p', String(process.pid)], { encoding: 'utf8' });
  const list = status === 0 ? /[\d,-]+(?=\s*$)/.exec(stdout)?.[0] : undefined;
  if (list === undefined) return null;
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last! - first! + 1 }, (_, index) => first! + index);
  });
}

/**
 * Cores for some processes, of those on which this process may run (env/processes/bound-node.ts).
 *
 * @throws TrainingError `bind-cores` if `taskset` is missing, as on systems other than Linux, or if there are fewer
 *   cores than processes.
 */
export function coresFor(processes: number): readonly number[] {
  const cores = allowedCores();
  if (cores === null) {
    throw new TrainingError(
      'bind-cores',
      'expected Linux with taskset (package util-linux) to bind processes to cores',
    );
  }
  if (cores.length >= processes) return cores.slice(0, processes);
  throw new TrainingError(
    'bind-cores',
    `expected a core for each of ${processes} processes, found ${cores.length}: lower --processes`,
  );
}
