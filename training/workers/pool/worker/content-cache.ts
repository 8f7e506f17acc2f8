import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, makeFolder, writeFileAtomic } from '../../../../data/files/atomic-file.js';
import { TrainingError } from '../../../training-error.js';
import { getContent } from '../wire/content-stream.js';
import type { JetStreamManager } from '../wire/nats-library.js';
import type { ContentRef } from '../wire/pool-messages.js';
import { FILES_STREAM, fileSubject } from '../wire/pool-subjects.js';

/** Maximum size of a file that a worker fetches, and total size above which the oldest files are removed, in bytes. */
const MAX_FILE_BYTES = 512 * 2 ** 20;
const MAX_CACHE_BYTES = 4 * 2 ** 30;

/** Models from the coordinator, by their SHA-256, in a folder of a worker. */
export class ContentCache {
  private readonly folder: string;
  private readonly jsm: JetStreamManager;
  /** Downloads in progress, so that two jobs share one. */
  private readonly pending = new Map<string, Promise<string>>();

  constructor(folder: string, jsm: JetStreamManager) {
    this.folder = folder;
    this.jsm = jsm;
  }

  /**
   * Path of a model.
   *
   * @throws TrainingError `pool-content`; DataError `disk-full`, `write-failed`; errors of the server.
   */
  async model(ref: ContentRef): Promise<string> {
    let pending = this.pending.get(ref.sha256);
    if (pending === undefined) {
      pending = this.load(ref).finally(() => this.pending.delete(ref.sha256));
      this.pending.set(ref.sha256, pending);
    }
    return pending;
  }

  private async load(ref: ContentRef): Promise<string> {
    const path = join(this.folder, `${ref.sha256}.onnx`);
    if (await exists(path)) {
      // The time of use decides the order of removal.
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined);
      return path;
    }
    if (ref.bytes > MAX_FILE_BYTES) {
      throw new TrainingError('pool-content', `expected at most ${MAX_FILE_BYTES} bytes, found ${ref.bytes}`);
    }
    await makeFolder(this.folder);
    await this.makeRoom(ref.bytes);
    const content = await getContent(this.jsm, FILES_STREAM, ref, (part) => fileSubject(ref.sha256, part));
    await writeFileAtomic(path, content);
    return path;
  }

  /** Removes the least recently used files until `bytes` more fit. */
  private async makeRoom(bytes: number): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith('.onnx'));
    const files = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await stat(join(this.folder, name));
        return { name, size, mtimeMs };
      }),
    );
    let total = files.reduce((sum, { size }) => sum + size, bytes);
    for (const { name, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= MAX_CACHE_BYTES) return;
      await rm(join(this.folder, name), { force: true });
      total -= size;
    }
  }
}
