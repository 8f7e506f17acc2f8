import * as z from 'zod';
import { validate } from '../env/problems-text.js';
import { quote } from '../env/text/quoted-text.js';
import { DataError } from './data-error.js';
import { readManifest } from './files/manifest.js';

/** Kind of the manifest of a folder of Parquet files. */
export const PARQUET_KIND = 'parquet';

/** The details of this manifest. */
const ParquetDetails = z.object({
  rows: z.int().min(1),
  /** The filter with which the rows were selected. */
  where: z.array(z.string()),
  sample: z.number(),
  seed: z.number(),
  sources: z.array(z.object({ name: z.string(), rows: z.int(), sha256: z.string() })),
  softwareVersion: z.string(),
});

/**
 * Checks the manifest of a folder of Parquet files without the content of the files, which only an optional package
 * reads.
 *
 * @param path of the manifest.
 * @throws DataError `manifest-damaged`, `manifest-too-new`, `file-unreadable`, `file-too-large`.
 */
export async function checkParquetManifest(path: string): Promise<void> {
  const { details, files } = await readManifest(path, PARQUET_KIND);
  const refuse = (problem: string): DataError =>
    new DataError('manifest-damaged', `expected the manifest of Parquet files in ${path}: ${problem}`);
  validate(ParquetDetails, details, refuse);
  const names = Object.keys(files);
  const other = names.find((name) => !name.endsWith('.parquet'));
  if (other !== undefined) throw refuse(`expected names that end in .parquet, found ${quote(other)}`);
  if (names.length === 0) throw refuse('expected files, found none');
}
