import { join } from 'node:path';
import { namesIfThere } from '../../data/folder-reader.js';

/** The folder of a generation in `parent`, such as a run's folder of checkpoints. */
export function generationFolder(parent: string, generation: number): string {
  return join(parent, `gen-${String(generation).padStart(6, '0')}`);
}

/**
 * The generations that have a folder in `parent`, ascending; none if `parent` does not exist.
 *
 * @throws DataError `file-unreadable`.
 */
export async function generationsIn(parent: string): Promise<readonly number[]> {
  const names = await namesIfThere(parent);
  return names
    .flatMap((name) => /^gen-(\d{6,})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Name of the folder of checkpoints in that of a run. */
export const CHECKPOINTS_FOLDER = 'checkpoints';

/** The newest checkpoint in the folder of a run; undefined in any other folder. */
export async function newestCheckpoint(folder: string): Promise<string | undefined> {
  const checkpoints = join(folder, CHECKPOINTS_FOLDER);
  const newest = (await generationsIn(checkpoints)).at(-1);
  return newest === undefined ? undefined : generationFolder(checkpoints, newest);
}
