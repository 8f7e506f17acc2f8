import { basename, dirname, join } from 'node:path';
import { exists, makeFolder, writeFileAtomic, writeFolderAtomic } from '../files/atomic-file.js';
import { type DatasetRequest, readSources } from './dataset-tools.js';
import { DataError } from '../data-error.js';
import { writeManifestOf } from '../files/manifest.js';
import { encodeParquet } from './parquet.js';
import { keepsAll, samplesOf } from './row-filter.js';
import { columnsOf } from '../shards/shard-columns.js';

/** Kind of the manifest of a folder of Parquet files. */
export const PARQUET_KIND = 'parquet';

/** Counts of the files written. */
export interface ParquetDataset {
  readonly files: number;
  readonly rows: number;
}

/**
 * Writes rows of datasets to a new folder of Parquet files, one for each shard that has rows selected by the filter,
 * and then a manifest. The folder appears whole or not at all. Memory: one shard.
 *
 * @throws DataError as `readSources`; `dataset-exists`, `dataset-empty`, `shard-format`, `disk-full`,
 *   `write-failed`.
 */
export async function writeParquetDataset(request: DatasetRequest): Promise<ParquetDataset> {
  const { out, filter, softwareVersion } = request;
  if (await exists(out)) {
    throw new DataError('dataset-exists', `expected a new folder, ${out} exists`);
  }
  await makeFolder(dirname(out));
  const paths: string[] = [];
  let total = 0;
  await writeFolderAtomic(out, async (temporary) => {
    const sources = await readSources(request, async ({ shard, rows }) => {
      if (rows.length === 0) return;
      const { metadata, columns } = shard;
      const kept = keepsAll(filter) ? columns : columnsOf(samplesOf(columns, rows), columns.positionSize);
      const path = join(temporary, `part-${String(paths.length).padStart(6, '0')}.parquet`);
      await writeFileAtomic(path, encodeParquet({ metadata, columns: kept }));
      paths.push(path);
      total += rows.length;
    });
    if (total === 0)
      throw new DataError('dataset-empty', `expected at least one row for ${basename(out)}, got none`);
    const { where, sample, seed } = filter;
    const details = { rows: total, where: [...where], sample, seed, sources, softwareVersion };
    await writeManifestOf(join(temporary, 'manifest.json'), paths, { kind: PARQUET_KIND, details });
  });
  return { files: paths.length, rows: total };
}
