import { basename, dirname, join } from 'node:path';
import { exists } from '../../data/files/atomic-file.js';
import { DataError } from '../../data/data-error.js';
import { EXPORT_FILES } from './export-files.js';
import { readExportedFile } from './exported-file.js';
import { readSpec } from './spec-file.js';

/**
 * Checks an export's `spec.json`.
 *
 * @returns false if it does not exist.
 * @throws as `readSpec`; DataError `manifest-damaged` also if a file of the export is missing.
 */
export async function checkSpec(path: string): Promise<boolean> {
  const spec = await readSpec(path);
  for (const name of Object.keys(spec?.files ?? {})) {
    if (await exists(join(dirname(path), name))) continue;
    throw new DataError('manifest-damaged', `expected ${name} beside ${path}, found none`);
  }
  return spec !== null;
}

/**
 * Checks a file of an export against the `spec.json` beside it.
 *
 * @returns false if there is no `spec.json`, or if it does not name the file.
 * @throws DataError `file-altered`, `file-unreadable`, `file-too-large`.
 */
export async function checkExportedFile(path: string): Promise<boolean> {
  // `checkSpec` reports a damaged `spec.json`.
  const spec = await readSpec(join(dirname(path), EXPORT_FILES.spec)).catch(() => null);
  if (spec?.files[basename(path)] === undefined) return false;
  await readExportedFile(spec, path);
  return true;
}
