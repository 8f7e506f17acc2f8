import { createGame } from '../../env/games.js';
import { compiledModule } from '../../env/processes/compiled-module.js';
import { ProcessClient, ProcessEnd } from '../../env/processes/process-client.js';
import { DataError } from '../data-error.js';
import { processorMsOf, residentBytesOf } from '../files/process-identity.js';
import { firstContradiction } from '../shards/row-contradiction.js';
import { columnsOf } from '../shards/shard-columns.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import { checkGame } from '../shards/shard.js';

/** A request to the process: the bytes of a file, and its path for messages. */
export interface ParquetRequest {
  readonly path: string;
  readonly content: Uint8Array;
}

/** A progress message of the process: it begins, or has read the footer, which announces a number of rows. */
export type ParquetNote = 'begins' | { readonly rows: number };

const MIB = 2 ** 20;
/** JavaScript memory for any file, and for each byte of it: several times what valid files need. */
const HEAP_MIB = 512;
const HEAP_PER_BYTE = 64;
/** Upper bound of this memory: Node's own limit on common machines. */
const MAX_HEAP_MIB = 4096;
/** Memory besides JavaScript's: Node itself, and buffers. */
const OTHER_MIB = 256;
/** Processor time in ms for the footer of any file, and for each row: several times what valid files take. */
const FOOTER_MS = 800;
const ROW_MS = 0.15;
/** Time without the processor, as in a stopped process, is limited to this many times the processor time. */
const PATIENCE = 20;
/** Interval at which the process is watched. */
const WATCH_MS = 25;

/** The process that reads files; it is kept for the next one and ends with this program. */
interface Reader {
  readonly client: ProcessClient<ParquetRequest, DecodedShard, ParquetNote>;
  readonly heapMiB: number;
}

let reader: Reader | null = null;
/** Resolved when the last request ends: one at a time. */
let turn: Promise<unknown> = Promise.resolve();

/** A process with enough memory for a file of `bytes`. */
async function takeReader(bytes: number): Promise<Reader> {
  const heapMiB = Math.min(MAX_HEAP_MIB, HEAP_MIB + Math.ceil((HEAP_PER_BYTE * bytes) / MIB));
  if (reader?.client.isAlive === true && reader.heapMiB >= heapMiB) return reader;
  await reader?.client.end();
  reader = {
    client: new ProcessClient({
      module: compiledModule(import.meta.url, 'parquet-process'),
      errors: [DataError],
      nodeOptions: [`--max-old-space-size=${heapMiB}`],
      // It prints only when it dies, which the error reports.
      onLine: () => undefined,
    }),
    heapMiB,
  };
  return reader;
}

/** Watches a process while it reads a file, and kills it when it takes too long or too much memory. */
class ReadingWatch {
  private readonly reader: Reader;
  private limitMs = FOOTER_MS;
  private timer: NodeJS.Timeout | undefined;
  private waitedMs = 0;
  /** Processor time when the process began to read; elapsed time if the system does not report it. */
  private firstMs = 0;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /**
   * Starts the watch when the process begins, which may take long to start; then allows time for the
   * announced rows.
   */
  heard(note: ParquetNote): void {
    if (note !== 'begins') {
      this.limitMs = FOOTER_MS + Math.ceil(ROW_MS * note.rows);
      return;
    }
    this.firstMs = this.usedMs();
    this.timer = setInterval(() => {
      this.tick();
    }, WATCH_MS);
  }

  end(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const { limitMs, reader } = this;
    const { client, heapMiB } = reader;
    this.waitedMs += WATCH_MS;
    if (this.usedMs() - this.firstMs > limitMs || this.waitedMs > PATIENCE * limitMs) {
      client.kill(`took more than ${limitMs / 1000} s`);
    }
    const limitMiB = heapMiB + OTHER_MIB;
    const bytes = client.pid === undefined ? null : residentBytesOf(client.pid);
    if (bytes !== null && bytes > limitMiB * MIB) client.kill(`took more than ${limitMiB} MiB`);
  }

  private usedMs(): number {
    const { pid } = this.reader.client;
    const used = pid === undefined ? null : processorMsOf(pid);
    return used ?? this.waitedMs;
  }
}

/** @throws DataError of the reading process, or `shard-format` if it ended. */
async function readApart(path: string, content: Uint8Array): Promise<DecodedShard> {
  const taken = await takeReader(content.length);
  const watch = new ReadingWatch(taken);
  const onNote = (note: ParquetNote): void => {
    watch.heard(note);
  };
  try {
    return await taken.client.ask({ path, content }, { onNote });
  } catch (error) {
    if (!(error instanceof ProcessEnd)) throw error;
    const found = `the process that read it ${error.message}`;
    throw new DataError('shard-format', `expected a Parquet file in ${path}: ${found}`, { cause: error });
  } finally {
    watch.end();
  }
}

/**
 * Reads a Parquet file written by `encodeParquet`, or by another program with the columns and metadata of a shard.
 * Trusts nothing: another process reads the file, with limits on time and memory in proportion to its size.
 *
 * @param path for messages.
 * @throws DataError `shard-format`, `shard-too-new`, and as `checkGame`; NotationError `game-unknown`, `rules-unknown`.
 */
export async function decodeParquet(path: string, content: Uint8Array): Promise<DecodedShard> {
  const before = turn;
  const reading = before.catch(() => undefined).then(() => readApart(path, content));
  turn = reading;
  const { metadata, columns } = await reading;
  const game = createGame(metadata.game, metadata.rules);
  const shard = { metadata, columns: columns.rows === 0 ? columnsOf([], game.packedSize) : columns };
  const problem = firstContradiction(shard.columns);
  if (problem !== null) throw new DataError('shard-format', `${path} has ${problem}`);
  checkGame(path, shard, game);
  return shard;
}
