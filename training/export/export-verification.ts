import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { exists } from '../../data/files/atomic-file.js';
import { DataError } from '../../data/data-error.js';
import { openSealed, sha256 } from '../../data/files/sealed-json.js';
import { readTextIfThere, readWholeFile } from '../../data/files/file-reading.js';
import { SPEC_FILE } from './model-spec.js';

const SpecFiles = z.looseObject({ specVersion: z.int(), files: z.record(z.string(), z.string()) });

interface Spec {
  readonly isSealed: boolean;
  /** SHA-256 by name. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Null if there is none.
 *
 * @throws DataError `manifest-damaged`, `file-unreadable`.
 */
async function readSpec(path: string): Promise<Spec | null> {
  const text = await readTextIfThere(path);
  if (text === null) return null;
  const { value, seal } = openSealed(text, 'file');
  const content = SpecFiles.safeParse(value);
  if (!content.success || seal === 'altered') {
    throw new DataError('manifest-damaged', `expected the specification of an export in ${path}`);
  }
  return { isSealed: seal === 'sound', files: content.data.files };
}

/**
 * Checks an export's `spec.json`. Those of earlier versions have no checksum of their own.
 *
 * @returns whether it has.
 * @throws DataError `manifest-damaged`, also where a file of the export is not there; `file-unreadable`.
 */
export async function checkSpec(path: string): Promise<boolean> {
  const spec = await readSpec(path);
  for (const name of Object.keys(spec?.files ?? {})) {
    if (await exists(join(dirname(path), name))) continue;
    throw new DataError('manifest-damaged', `expected ${name} beside ${path}, found none`);
  }
  return spec?.isSealed ?? false;
}

/**
 * Checks a file of an export against the `spec.json` beside it.
 *
 * @returns false if there is none, or if it does not name the file.
 * @throws DataError `file-altered`, `file-unreadable`.
 */
export async function checkExportedFile(path: string): Promise<boolean> {
  // `checkSpec` reports a damaged one.
  const spec = await readSpec(join(dirname(path), SPEC_FILE)).catch(() => null);
  const expected = spec?.files[basename(path)];
  if (expected === undefined) return false;
  const found = sha256(await readWholeFile(path));
  if (found === expected) return true;
  throw new DataError('file-altered', `expected SHA-256 ${expected} of ${path}, found ${found}`);
}
