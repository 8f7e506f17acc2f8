import { basename } from 'node:path';
import { DataError } from '../../data/data-error.js';
import { readInput } from '../../data/files/input-file.js';
import { sha256 } from '../../data/files/sealed-json.js';
import { kindOfName } from '../../data/files/size-limits.js';
import type { ExportSpec } from './spec-file.js';

/**
 * Reads a file of an export.
 *
 * @throws DataError `file-altered` unless it has the checksum in `spec.json`; `manifest-damaged` if `spec.json` names
 *   no such file; `file-missing`, `file-unreadable`, `file-too-large`.
 */
export async function readExportedFile({ files }: Pick<ExportSpec, 'files'>, path: string): Promise<Buffer> {
  const expected = files[basename(path)];
  if (expected === undefined)
    throw new DataError('manifest-damaged', `expected a checksum of ${path} in its spec.json, found none`);
  const content = await readInput(path, kindOfName(path));
  const found = sha256(content);
  if (found === expected) return content;
  throw new DataError('file-altered', `expected SHA-256 ${expected} of ${path}, found ${found}`);
}
