import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { DataError, readFailure, systemErrorCode } from '../data-error.js';
import { type InputKind, MAX_BYTES } from './size-limits.js';

/**
 * Opens for reading, without waiting for the writer of a pipe, and without making a terminal the controlling terminal
 * of this process. Windows has neither flag.
 */
const FLAGS =
  constants.O_RDONLY |
  ((constants.O_NONBLOCK as number | undefined) ?? 0) |
  ((constants.O_NOCTTY as number | undefined) ?? 0);

/** The kind of a file that is not a regular one, for messages. */
export function nameOfType(found: Stats): string {
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  if (found.isSocket()) return 'a socket';
  return 'a device';
}

/** @throws DataError `file-unreadable`, `file-too-large`. */
function checkStatus(path: string, found: Stats, kind: InputKind): void {
  if (!found.isFile()) {
    throw new DataError('file-unreadable', `expected a regular file at ${path}, found ${nameOfType(found)}`);
  }
  const limit = MAX_BYTES[kind];
  if (found.size <= limit) return;
  throw new DataError('file-too-large', `expected at most ${limit} bytes in ${path}, found ${found.size}`);
}

/** An open file and its size in bytes when it was opened. */
export interface InputFile {
  /** The caller closes it. */
  readonly handle: FileHandle;
  readonly size: number;
}

/**
 * Opens a file for reading: a regular one, not longer than its kind allows. Does not wait for pipes and devices.
 *
 * @throws DataError `file-missing`, `file-unreadable`, `file-too-large`.
 */
export async function openInput(path: string, kind: InputKind): Promise<InputFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, FLAGS);
    const found = await handle.stat();
    checkStatus(path, found, kind);
    return { handle, size: found.size };
  } catch (error) {
    await handle?.close();
    throw error instanceof DataError ? error : readFailure(path, error);
  }
}

/**
 * As `openInput`.
 *
 * @returns the file's descriptor; the caller closes it.
 */
export function openInputSync(path: string, kind: InputKind): number {
  let file: number | undefined;
  try {
    file = openSync(path, FLAGS);
    checkStatus(path, fstatSync(file), kind);
    return file;
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw error instanceof DataError ? error : readFailure(path, error);
  }
}

/** The bytes of an open file, up to the size that it had when it was opened: it may grow meanwhile. */
async function readBytes({ handle, size }: InputFile): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let done = 0;
  while (done < size) {
    const { bytesRead } = await handle.read(bytes, done, size - done, done);
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
}

/**
 * The bytes of a file.
 *
 * @param checkSize called with the size before the bytes are read; throws for one that is not expected.
 * @throws DataError `file-missing`, `file-unreadable`, `file-too-large`; errors of `checkSize`.
 */
export async function readInput(
  path: string,
  kind: InputKind,
  checkSize?: (size: number) => void,
): Promise<Buffer> {
  const file = await openInput(path, kind);
  try {
    checkSize?.(file.size);
    return await readBytes(file);
  } catch (error) {
    throw error instanceof DataError ? error : readFailure(path, error);
  } finally {
    await file.handle.close();
  }
}

/**
 * The text of a file, without its byte order mark.
 *
 * @param path for the message.
 * @throws DataError `file-encoding` for bytes that are not UTF-8.
 */
export function textOfFile(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const readable = new TextDecoder().decode(bytes).split('\ufffd')[0]!;
    const line = readable.split('\n').length;
    const message = `expected UTF-8, found other bytes on line ${line} of ${path}`;
    throw new DataError('file-encoding', message, { cause });
  }
}

/**
 * As `readInput`, for small files that a program needs before it can continue.
 *
 * @throws as `readInput`.
 */
export function readInputSync(path: string, kind: InputKind): Buffer {
  const file = openInputSync(path, kind);
  try {
    const bytes = Buffer.alloc(fstatSync(file).size);
    let done = 0;
    for (let read = -1; read !== 0 && done < bytes.length; done += read) {
      read = readSync(file, bytes, done, bytes.length - done, done);
    }
    return bytes.subarray(0, done);
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    closeSync(file);
  }
}

/**
 * The bytes of a file, or null if it does not exist.
 *
 * @throws DataError `file-missing` if its folder is a file, `file-unreadable`, `file-too-large`.
 */
export async function readInputIfThere(path: string, kind: InputKind): Promise<Buffer | null> {
  try {
    return await readInput(path, kind);
  } catch (error) {
    if (error instanceof DataError && systemErrorCode(error.cause) === 'ENOENT') return null;
    throw error;
  }
}
