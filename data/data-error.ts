import { CodedError } from '../env/errors.js';

/**
 * Machine-readable causes of a file or folder that cannot be used.
 *
 * - `file-missing`, `file-cut` (its size differs from its manifest), `file-altered` (its checksum differs),
 *   `file-unreadable` (refused by the system; not a regular file: a folder, a pipe, a device; a symbolic link to a
 *   folder that contains it; or a stdin that cannot be read), `file-too-large`;
 * - `manifest-missing`, `manifest-damaged` (not JSON, not of the expected form, or altered), `manifest-too-new`;
 * - `disk-full` (also quotas and the maximum file size), `write-failed` (any other reason);
 * - `run-locked`: another process owns the folder or file, or a run that contains it; `output-misplaced`: the output
 *   would be inside a run, a checkpoint, a model, a dataset or a match;
 * - `shard-format` (not an Arrow file with the columns of a shard), `shard-too-new`, `shard-game`,
 *   `shard-rules`, `shard-encoding` (a shard of another game, other rules or another encoding);
 * - `window-empty`: no training row, or too few by which to judge units;
 * - `dataset-unknown` (not a file or folder of this program), `dataset-empty` (no shards or no rows), `dataset-mixed`
 *   (shards of several games, rules or encodings), `dataset-duplicate` (the same game twice), `dataset-exists` (the
 *   output exists), `dataset-row` (no such row), `dataset-filter` (an invalid condition), `dataset-damaged` (files that
 *   fail their checks), `dataset-content` (an invalid description or invalid shares of a new dataset);
 * - `episode-format` (not an Arrow file with the columns of episodes), `episode-too-new`; `episode-content`: episodes
 *   that do not fit in one file;
 * - `file-exists` (the output exists), `file-encoding` (not UTF-8, or control characters in a text for people);
 * - `record-syntax` (not SGF or JSON), `record-content` (not of the expected form, or with unreadable notation),
 *   `record-game` (of another game), `record-count` (several games where one is expected), `record-too-deep`,
 *   `record-too-new`, `record-illegal` (an illegal move), `record-gaps` (a game whose moves are not all known).
 */
export type DataErrorCode =
  | 'file-missing'
  | 'file-cut'
  | 'file-altered'
  | 'file-unreadable'
  | 'manifest-missing'
  | 'manifest-damaged'
  | 'manifest-too-new'
  | 'disk-full'
  | 'write-failed'
  | 'run-locked'
  | 'output-misplaced'
  | 'shard-format'
  | 'shard-too-new'
  | 'shard-game'
  | 'shard-rules'
  | 'shard-encoding'
  | 'window-empty'
  | 'dataset-unknown'
  | 'dataset-empty'
  | 'dataset-mixed'
  | 'dataset-duplicate'
  | 'dataset-exists'
  | 'dataset-row'
  | 'dataset-filter'
  | 'dataset-damaged'
  | 'dataset-content'
  | 'episode-format'
  | 'episode-too-new'
  | 'episode-content'
  | 'file-exists'
  | 'file-too-large'
  | 'file-encoding'
  | 'record-syntax'
  | 'record-content'
  | 'record-game'
  | 'record-count'
  | 'record-too-deep'
  | 'record-too-new'
  | 'record-illegal'
  | 'record-gaps';

/** Thrown for files that cannot be read, written or trusted; the message names the file. */
export class DataError extends CodedError<DataErrorCode> {
  override readonly name = 'DataError';
  /** 2 for an invalid condition, description or share given by the user, 1 for faults of files. */
  override readonly exitCode = this.code === 'dataset-filter' || this.code === 'dataset-content' ? 2 : 1;
}

/** The `code` of a system error (`ENOENT`, …), or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Explanations of the system's error codes for failed reads. */
const READ_FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EBADF: 'it is not open for reading',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'this process has too many open files',
  ENFILE: 'this machine has too many open files',
  ENAMETOOLONG: 'the path is too long',
  ENXIO: 'it is not a regular file',
  EIO: 'the disk failed',
};

/** The `DataError` of a failed read: `file-missing` or `file-unreadable`. */
export function readFailure(path: string, error: unknown): DataError {
  const code = systemErrorCode(error);
  if (code === 'ENOTDIR') {
    const isFolder = (error as NodeJS.ErrnoException).syscall === 'scandir';
    const found = isFolder
      ? `the folder ${path}, found a file`
      : `the file ${path}, found a file in place of its folder`;
    return new DataError('file-missing', `expected ${found}`, { cause: error });
  }
  if (code === 'ENOENT') {
    const { syscall = '' } = error as NodeJS.ErrnoException;
    const what = ['stat', 'lstat'].includes(syscall) ? 'a file or folder at' : 'the file';
    return new DataError('file-missing', `expected ${what} ${path}, found none`, { cause: error });
  }
  const words = code === undefined ? undefined : READ_FAILURES[code];
  const reason = words === undefined ? (code ?? String(error)) : `${words} (${code})`;
  return new DataError('file-unreadable', `cannot read ${path}: ${reason}`, { cause: error });
}
