import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { allowedCores } from '../../data/files/process-identity.js';
import { TrainingError } from '../training-error.js';

function unavailable(why: string): TrainingError {
  return new TrainingError(
    'bind-cores',
    `expected Linux with taskset (package util-linux) to bind processes to cores, found ${why}`,
  );
}

/**
 * Cores for some processes, of those on which this process may run.
 *
 * @throws TrainingError `bind-cores` on systems other than Linux, and if there are fewer cores than processes.
 */
export function coresFor(processes: number): readonly number[] {
  const cores = allowedCores();
  if (cores === null) throw unavailable(`no list of cores on ${process.platform}`);
  if (cores.length >= processes) return cores.slice(0, processes);
  throw new TrainingError(
    'bind-cores',
    `expected a core for each of ${processes} processes, found ${cores.length}: lower --processes`,
  );
}

/**
 * Binds all threads of a process to a core. Node cannot do this itself.
 *
 * @throws TrainingError `bind-cores` if `taskset` is missing or fails.
 */
export async function bindToCore(pid: number, core: number): Promise<void> {
  try {
    await promisify(execFile)('taskset', ['-a', '-c', '-p', String(core), String(pid)]);
  } catch (error) {
    throw unavailable((error as Error).message.trim());
  }
}
