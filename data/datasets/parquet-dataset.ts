import { basename, dirname, join, resolve } from 'node:path';
import { DataError } from '../data-error.js';
import { exists, writeFileAtomic } from '../files/atomic-file.js';
import { isFolder, namesIn } from '../folder-reader.js';
import { readInput } from '../files/input-file.js';
import { type Manifest, readListedFile, readManifest, writeManifestOf } from '../files/manifest.js';
import { sha256 } from '../files/sealed-json.js';
import { PARQUET_KIND } from '../parquet-manifest.js';
import { columnsOf } from '../shards/shard-columns.js';
import type { Provenance } from './dataset-card.js';
import { type DatasetRequest, readSources } from './dataset-tools.js';
import { makeDatasetFolder, writeDatasets } from './dataset-writer.js';
import { GameRegister } from './game-register.js';
import { encodeParquet } from './parquet-writing.js';
import { decodeParquet } from './parquet-reading.js';
import { compileFilter, keepsAll, samplesOf } from './row-filter.js';

// Public since version 1.0.0.
export { PARQUET_KIND } from '../parquet-manifest.js';

const MANIFEST_NAME = 'manifest.json';

/** Counts of the files written. */
export interface ParquetDataset {
  readonly files: number;
  readonly rows: number;
}

/**
 * Writes rows of datasets to a new folder of Parquet files, one for each shard that has rows selected by the filter,
 * and then a manifest. The folder appears whole or not at all. Memory: one shard.
 *
 * @throws DataError as `readSources` and `makeDatasetFolder`; `dataset-empty`, `shard-format`.
 */
export async function writeParquetDataset(request: DatasetRequest): Promise<ParquetDataset> {
  const { out, filter, softwareVersion } = request;
  const paths: string[] = [];
  let total = 0;
  await makeDatasetFolder(out, async (temporary) => {
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
    await writeManifestOf(join(temporary, MANIFEST_NAME), paths, { kind: PARQUET_KIND, details });
  });
  return { files: paths.length, rows: total };
}

/** The Parquet files of a source, and their manifest if they have one. */
interface ParquetSource {
  readonly paths: readonly string[];
  readonly manifest: Manifest | null;
}

/**
 * The files of a folder and its manifest, which names all of them and no others; a folder of another program has none.
 * For a single file: the file, and the manifest beside it if that names it.
 *
 * @throws DataError `file-missing`, `file-unreadable`, `manifest-damaged`, `manifest-too-new`, `dataset-empty`.
 */
async function openSource(path: string): Promise<ParquetSource> {
  if (!(await isFolder(path))) {
    const manifest = await readManifest(join(dirname(path), MANIFEST_NAME), PARQUET_KIND).catch(() => null);
    return { paths: [path], manifest: manifest?.files[basename(path)] === undefined ? null : manifest };
  }
  const names = await namesIn(path);
  const paths = names.filter((name) => name.endsWith('.parquet')).map((name) => join(path, name));
  const manifestPath = join(path, MANIFEST_NAME);
  const manifest = (await exists(manifestPath)) ? await readManifest(manifestPath, PARQUET_KIND) : null;
  const listed = Object.keys(manifest?.files ?? {}).map((name) => join(path, name));
  const all = [...new Set([...paths, ...listed])].sort();
  if (all.length === 0) throw new DataError('dataset-empty', `expected Parquet files in ${path}, found none`);
  return { paths: all, manifest };
}

/**
 * Makes a dataset from the rows of Parquet files or of folders of them. Files with a manifest, as `writeParquetDataset`
 * writes it, are checked against it. Memory: one file.
 *
 * @returns the number of rows of the new dataset.
 * @throws DataError as `decodeParquet` and `writeDatasets`; `dataset-filter`, `dataset-mixed`, `dataset-duplicate`,
 *   `dataset-empty`, `file-missing`, `file-unreadable`, `file-too-large`, `file-cut`, `file-altered`,
 *   `manifest-damaged`, `manifest-too-new`.
 */
export async function readParquetDataset(request: DatasetRequest): Promise<number> {
  const { sources, out, filter, softwareVersion, onGame, onShard } = request;
  const select = compileFilter(filter);
  const opened = await Promise.all(sources.map(openSource));
  const total = opened.reduce((sum, { paths }) => sum + paths.length, 0);
  const games = new GameRegister();
  const origins: Provenance['sources'] = [];
  const origin = (): { words: object; madeBy: Provenance } => {
    const options = { from: 'parquet', where: [...filter.where], sample: filter.sample, seed: filter.seed };
    return { words: {}, madeBy: { operation: 'convert', options, sources: origins } };
  };
  let done = 0;
  const rows = await writeDatasets({ folder: out, parts: [''], softwareVersion, origin }, async (parts) => {
    for (const [index, { paths, manifest }] of opened.entries()) {
      const digests: string[] = [];
      let count = 0;
      for (const path of paths) {
        const content = await (manifest === null ? readInput(path, 'shard') : readListedFile(manifest, path));
        const shard = await decodeParquet(path, content);
        games.add(path, shard);
        onGame?.(shard.metadata.game);
        await parts.get('')!.add(shard.metadata, samplesOf(shard.columns, select(shard)));
        digests.push(sha256(content));
        count += shard.columns.rows;
        onShard?.(++done, total);
      }
      origins.push({
        name: basename(resolve(sources[index]!)),
        rows: count,
        sha256: sha256(digests.join('')),
      });
    }
  });
  return rows['']!;
}
