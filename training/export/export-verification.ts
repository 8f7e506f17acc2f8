import { basename, dirname, join } from 'node:path';
import { exists } from '../../data/files/atomic-file.js';
import { DataError } from '../../data/data-error.js';
import { readInput } from '../../data/files/input-file.js';
import { sha256 } from '../../data/files/sealed-json.js';
import { kindOfName } from '../../data/files/size-limits.js';
import { SPEC_FILE } from './model-spec.js';
import { readSpec } from './spec-file.js';

/**
 * Checks an export's `spec.json`.
 *
 * @returns false if it does not exist.
 * @throws as `readSpec`; DataError `manifest-damaged` also where a file of the export is missing.
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
 * @returns false if there is none, or if it does not name the file.
 * @throws DataError `file-altered`, `file-unreadable`, `file-too-large`.
 */
export async function checkExportedFile(path: string): Promise<boolean> {
  // `checkSpec` reports a damaged one.
  const spec = await readSpec(join(dirname(path), SPEC_FILE)).catch(() => null);
  const expected = spec?.files[basename(path)];
  if (expected === undefined) return false;
  const found = sha256(await readInput(path, kindOfName(path)));
  if (found === expected) return true;
  throw new DataError('file-altered', `expected SHA-256 ${expected} of ${path}, found ${found}`);
}
