import { dirname } from 'node:path';
import { exists } from '../../../data/files/atomic-file.js';
import { readInput } from '../../../data/files/input-file.js';
import { writeOutputFile } from '../../../data/files/output-file.js';
import { sha256 } from '../../../data/files/sealed-json.js';
import { TrainingError } from '../../training-error.js';
import { runPaths } from '../run-paths.js';

/** Name of the page about a run, in its folder. */
export const REPORT_FILE = 'report.html';

/** The end of a page: a comment with the checksum of everything before it. */
const SEAL = /<!-- sha256 ([\da-f]{64}) -->\n$/;

/**
 * Writes a page with its checksum, and makes the missing folders above it.
 *
 * @throws DataError as `writeOutputFile`.
 */
export async function writeReport(path: string, page: string, overwrite: boolean): Promise<void> {
  await writeOutputFile(path, `${page}<!-- sha256 ${sha256(page)} -->\n`, overwrite);
}

/**
 * Compares a page with its checksum.
 *
 * @returns false if it has no checksum and is not in a run's folder: another program wrote it.
 * @throws TrainingError `run-damaged`; DataError `file-unreadable`, `file-too-large`.
 */
export async function checkReport(path: string): Promise<boolean> {
  const text = (await readInput(path, 'page')).toString();
  const seal = SEAL.exec(text);
  if (seal !== null && sha256(text.slice(0, seal.index)) === seal[1]) return true;
  if (seal === null && !(await exists(runPaths(dirname(path)).runFile))) return false;
  throw new TrainingError(
    'run-damaged',
    `expected a page that matches its own checksum in ${path}: write it again`,
  );
}
