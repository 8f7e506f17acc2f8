import { basename, join } from 'node:path';
import { exists, makeFolder, writeFolderAtomic } from '../files/atomic-file.js';
import { writeDatasetCard } from './dataset-card-file.js';
import type { DatasetOrigin } from './dataset-card.js';
import { DataError } from '../data-error.js';
import { expectPlaceForOutput, makeOutputFolder } from '../files/output-folder.js';
import type { Sample } from '../shards/sample.js';
import { columnsOf } from '../shards/shard-columns.js';
import type { ShardMetadata } from '../shards/shard-metadata.js';
import { type ShardFile, writeShard, writeShardBytes } from '../shards/shard.js';
import { shardName } from '../arrow-names.js';

/** Rows after which a shard is written, at the end of the current game. */
const ROWS_PER_SHARD = 16_384;

/** Writes a sequence of shards to a folder. Holds the rows of one shard in memory. */
export class DatasetWriter {
  /** Rows added so far. */
  rows = 0;
  private readonly folder: string;
  private shards = 0;
  private metadata: ShardMetadata | null = null;
  private samples: Sample[] = [];

  /** @param folder exists and has no shards. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Adds rows; those of a game are adjacent.
   *
   * @throws DataError `disk-full`, `write-failed`.
   */
  async add(metadata: ShardMetadata, samples: readonly Sample[]): Promise<void> {
    if (this.metadata !== null && !isSameSource(this.metadata, metadata)) await this.flush();
    for (const sample of samples) {
      const isNewGame = this.samples.at(-1)?.gameId !== sample.gameId;
      if (isNewGame && this.samples.length >= ROWS_PER_SHARD) await this.flush();
      this.metadata = metadata;
      this.samples.push(sample);
    }
    this.rows += samples.length;
  }

  /**
   * Adds a shard unchanged, byte for byte.
   *
   * @throws DataError `disk-full`, `write-failed`.
   */
  async copy({ bytes, columns, manifest }: ShardFile): Promise<void> {
    await this.flush();
    await writeShardBytes(this.nextPath(), bytes, manifest.details);
    this.rows += columns.rows;
  }

  /**
   * Writes the rows in memory.
   *
   * @throws DataError `disk-full`, `write-failed`.
   */
  async flush(): Promise<void> {
    const { metadata, samples } = this;
    if (metadata === null || samples.length === 0) return;
    this.samples = [];
    this.metadata = null;
    await writeShard(this.nextPath(), { columns: columnsOf(samples, samples[0]!.position.length), metadata });
  }

  private nextPath(): string {
    this.shards += 1;
    return join(this.folder, shardName(this.shards - 1));
  }
}

/** Whether rows of both can share a shard, whose metadata applies to all of its rows. */
function isSameSource(a: ShardMetadata, b: ShardMetadata): boolean {
  return (Object.keys(a) as (keyof ShardMetadata)[]).every((key) => a[key] === b[key]);
}

/** Parts of a dataset by name, each in its own folder; the part with an empty name is the folder itself. */
export type DatasetParts = ReadonlyMap<string, DatasetWriter>;

/** The datasets to make. */
export interface DatasetPlan {
  /** Must not exist yet. */
  readonly folder: string;
  /** Names of folders; `['']`: the folder itself is the dataset. */
  readonly parts: readonly string[];
  /** Description and provenance for the card of a part. */
  origin(part: string): DatasetOrigin;
  readonly softwareVersion: string;
}

/**
 * Fills the new folder of a dataset, which appears whole or not at all, as the only process that does.
 *
 * @throws DataError `dataset-exists`; `output-misplaced` inside a run or another folder of this program; `run-locked` if
 *   the run is running or another process is making the folder; `disk-full`, `write-failed`. Any error of `write`.
 */
export async function makeDatasetFolder(
  folder: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const expectFree = async (): Promise<void> => {
    if (await exists(folder)) {
      throw new DataError('dataset-exists', `expected a new folder, but ${folder} exists`);
    }
    await expectPlaceForOutput(folder, 'dataset');
  };
  await makeOutputFolder(folder, expectFree, () => writeFolderAtomic(folder, write));
}

/**
 * Makes datasets in a new folder, which appears whole or not at all. Each has its card and manifest, written last.
 *
 * @returns the number of rows of each part.
 * @throws DataError as `makeDatasetFolder`; `dataset-empty` for a part without rows. Any error of `fill`.
 */
export async function writeDatasets(
  plan: DatasetPlan,
  fill: (parts: DatasetParts) => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const rows: Record<string, number> = {};
  await makeDatasetFolder(plan.folder, async (temporary) => {
    const parts = new Map<string, DatasetWriter>();
    for (const part of plan.parts) {
      await makeFolder(join(temporary, part));
      parts.set(part, new DatasetWriter(join(temporary, part)));
    }
    await fill(parts);
    for (const [part, writer] of parts) {
      await writer.flush();
      if (writer.rows === 0) {
        throw new DataError(
          'dataset-empty',
          `expected at least one row for ${join(plan.folder, part)}, got none`,
        );
      }
      rows[part] = writer.rows;
      const { softwareVersion } = plan;
      const name = basename(part === '' ? plan.folder : join(plan.folder, part));
      await writeDatasetCard(join(temporary, part), { name, origin: plan.origin(part), softwareVersion });
    }
  });
  return rows;
}
