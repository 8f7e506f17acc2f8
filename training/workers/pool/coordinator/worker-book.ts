import * as z from 'zod';
import { GrowingLines } from '../../../../data/files/growing-file.js';
import { type JsonForm, MAX_DAMAGED_LINES, readJsonLines } from '../../../../data/files/json-file.js';
import { sealJson } from '../../../../data/files/sealed-json.js';
import { TrainingError } from '../../../training-error.js';
import { PublicKey } from '../wire/public-key.js';

const Entry = z.discriminatedUnion('kind', [
  /** A shard of a worker was accepted. */
  z.strictObject({
    kind: z.literal('accepted'),
    worker: PublicKey,
    /** Identity of the job. */
    job: z.string(),
    shardSha256: z.string(),
    /** Number of its games that were replayed. */
    replayed: z.int().min(0),
    games: z.int().min(1),
    /** Generation of the network that plays. */
    generation: z.int().min(0).optional(),
    /** Its kernel fingerprint, if it is not the coordinator's. */
    fingerprint: z.string().optional(),
  }),
  /** All games of a match job of the worker were replayed and were equal. */
  z.strictObject({ kind: z.literal('proven'), worker: PublicKey }),
  /** A worker has lied and gets no more jobs. */
  z.strictObject({ kind: z.literal('suspended'), worker: PublicKey, reason: z.string() }),
]);
type Entry = z.infer<typeof Entry>;
export type AcceptedShard = Extract<Entry, { kind: 'accepted' }>;

const FORM: JsonForm<Entry> = {
  schema: Entry,
  name: 'a line about a worker',
  seal: 'line',
  error: (message, cause) => new TrainingError('run-damaged', message, { cause }),
};

/**
 * Records which worker made each shard and which workers lied, in a file of sealed lines that a later coordinator of
 * the same run reads.
 */
export class WorkerBook {
  /** Null: in memory only. */
  private readonly file: GrowingLines | null;
  private readonly accepted = new Map<string, AcceptedShard>();
  private readonly proven = new Set<string>();
  private readonly suspended = new Map<string, string>();

  private constructor(file: GrowingLines | null, entries: readonly Entry[]) {
    this.file = file;
    for (const entry of entries) this.keep(entry);
  }

  /**
   * Opens the book of an earlier coordinator, or a new one. A few damaged lines are skipped.
   *
   * @param path path of the file; null: in memory only.
   * @throws TrainingError `run-damaged` for very many damaged lines; DataError `file-unreadable`, `file-too-large`.
   */
  static async open(path: string | null): Promise<WorkerBook> {
    if (path === null) return new WorkerBook(null, []);
    const damaged: Error[] = [];
    const lines = await readJsonLines(path, 'events', FORM, (error) => damaged.push(error));
    // A suspension may be among the lines that were not read.
    if (damaged.length > MAX_DAMAGED_LINES) throw damaged.at(-1)!;
    const file = new GrowingLines(
      path,
      lines.map(({ text }) => text),
    );
    return new WorkerBook(
      file,
      lines.map(({ value }) => value),
    );
  }

  /** Why a worker is suspended; null if it is not. */
  suspensionOf(worker: string): string | null {
    return this.suspended.get(worker) ?? null;
  }

  /** Accepted shards of a worker, oldest first. */
  shardsOf(worker: string): readonly AcceptedShard[] {
    return [...this.accepted.values()].filter((shard) => shard.worker === worker);
  }

  /** Whether all games of a job of the worker were replayed and were equal. */
  isProven(worker: string): boolean {
    return this.proven.has(worker);
  }

  /** @throws DataError `disk-full`, `write-failed`. */
  async add(entry: Entry): Promise<void> {
    this.keep(entry);
    await this.file?.add(sealJson(entry, 'line'));
  }

  private keep(entry: Entry): void {
    if (entry.kind === 'suspended') this.suspended.set(entry.worker, entry.reason);
    else if (entry.kind === 'proven') this.proven.add(entry.worker);
    else {
      this.accepted.set(entry.job, entry);
      if (entry.replayed === entry.games) this.proven.add(entry.worker);
    }
  }
}
