import { closeSync, openSync, readSync } from 'node:fs';
import { DataError, readFailure } from '../data-error.js';
import type { Sample } from './sample.js';
import {
  contentOf,
  sampleWith,
  type RowContent,
  type ShardColumns,
  type SmallColumns,
} from './shard-columns.js';

/** The rows of a shard, in memory or on the disk. */
export interface ShardRows {
  readonly columns: SmallColumns;
  /** What is large of row `index`. Throws `DataError` `file-missing`, `file-cut`, `file-unreadable` where it is on the disk. */
  readonly content: (index: number) => RowContent;
}

/** The rows of columns in memory: contents are views. */
export function rowsInMemory(columns: ShardColumns): ShardRows {
  return { columns, content: (index) => contentOf(columns, index) };
}

/** Copies, so that the file's bytes are not kept alive. */
function copySmall(columns: ShardColumns): SmallColumns {
  return {
    rows: columns.rows,
    positionSize: columns.positionSize,
    players: columns.players.slice(),
    plies: columns.plies.slice(),
    actionStart: columns.actionStart.slice(),
    policyWeights: columns.policyWeights.slice(),
    rootValues: columns.rootValues.slice(),
    results: columns.results.slice(),
    pliesLeft: columns.pliesLeft.slice(),
    searchSizes: columns.searchSizes.slice(),
    gameIds: columns.gameIds.slice(),
    played: columns.played.slice(),
    surprises: columns.surprises.slice(),
  };
}

/** Fills `out` from the file's bytes from `offset` on. */
function readAt(
  file: number,
  path: string,
  out: Uint8Array | Uint16Array | Float32Array,
  offset: number,
): void {
  const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
  for (let done = 0; done < bytes.length;) {
    const read = readSync(file, bytes, done, bytes.length - done, offset + done);
    if (read === 0) throw new DataError('file-cut', `expected ${bytes.length} bytes at ${offset} in ${path}`);
    done += read;
  }
}

/**
 * The rows of a shard whose large columns stay on the disk: Arrow's columns are plain arrays in the file, and each
 * row is read where it lies. The file must stay as it was when it was checked.
 *
 * @param columns as decoded from `bytes`, the whole file: what is a view of them is read from the file.
 */
export function rowsOnDisk(path: string, columns: ShardColumns, bytes: Uint8Array): ShardRows {
  const small = copySmall(columns);
  const { positionSize, actionStart } = small;
  const offsetOf = (values: Uint8Array | Uint16Array | Float32Array): number | null =>
    values.buffer === bytes.buffer ? values.byteOffset - bytes.byteOffset : null;
  const positions = offsetOf(columns.positions);
  const actions = offsetOf(columns.actions);
  const policies = offsetOf(columns.policies);
  // Shards of version 1 have none.
  const finalPositions = offsetOf(columns.finalPositions);
  if (positions === null || actions === null || policies === null) return rowsInMemory(columns);
  const content = (index: number): RowContent => {
    const first = actionStart[index]!;
    const count = actionStart[index + 1]! - first;
    const row = {
      position: new Uint8Array(positionSize),
      finalPosition: new Uint8Array(positionSize),
      actions: new Uint16Array(count),
      policy: new Float32Array(count),
    };
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch (error) {
      throw readFailure(path, error);
    }
    try {
      readAt(file, path, row.position, positions + index * positionSize);
      readAt(file, path, row.actions, actions + first * 2);
      readAt(file, path, row.policy, policies + first * 4);
      if (finalPositions !== null) {
        readAt(file, path, row.finalPosition, finalPositions + index * positionSize);
      }
    } finally {
      closeSync(file);
    }
    return row;
  };
  return { columns: small, content };
}

/** Row `index` as an object, copied. For tools and tests. */
export function sampleOfRow(shard: ShardRows, index: number): Sample {
  return sampleWith(shard.columns, index, shard.content(index));
}
