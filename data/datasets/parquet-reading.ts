import { createGame } from '../../env/games.js';
import { compiledModule } from '../../env/processes/compiled-module.js';
import { ProcessClient, ProcessEnd } from '../../env/processes/process-client.js';
import { DataError } from '../data-error.js';
import { processorTicks } from '../files/process-identity.js';
import { firstContradiction } from '../shards/row-contradiction.js';
import { columnsOf } from '../shards/shard-columns.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import { checkGame } from '../shards/shard.js';

/** A request to the process: the bytes of a file, and its path for messages. */
export interface ParquetRequest {
  readonly path: string;
  readonly content: Uint8Array;
}

const MIB = 2 ** 20;
/** Memory for any file, and for each byte of it: several times what sound files need. */
const HEAP_MIB = 512;
const HEAP_PER_BYTE = 64;
/** The most memory, Node's own limit on common machines. */
const MAX_HEAP_MIB = 4096;
/** Processor time without a sign of progress, for any file and for each MiB of it; sound files make progress within 0.1 s. */
const SILENT_MS = 1500;
const SILENT_MS_PER_MIB = 4000;
/** The whole time of a file, and the time without the processor, are limited to this many times the silence. */
const PATIENCE = 20;
/** Interval at which the process is watched, and the length of a clock tick on Linux. */
const WATCH_MS = 100;
const TICK_MS = 10;

/** The process that reads files; it is kept for the next one and ends with this program. */
interface Reader {
  readonly client: ProcessClient<ParquetRequest, DecodedShard, 'progress'>;
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

/** Watches a process while it reads a file, and kills it when it takes too long. */
class ReadingWatch {
  private readonly client: Reader['client'];
  private readonly limitMs: number;
  private timer: NodeJS.Timeout | undefined;
  private waitedMs = 0;
  /** Processor time, or where the system does not report it the time waited, at the last sign of progress. */
  private lastMs = 0;
  private firstMs = 0;

  constructor(client: Reader['client'], bytes: number) {
    this.client = client;
    this.limitMs = Math.ceil(SILENT_MS + (SILENT_MS_PER_MIB * bytes) / MIB);
  }

  /** Records a sign of progress; the first one begins the watch, as the process may take long to start. */
  heard(): void {
    this.lastMs = this.usedMs();
    if (this.timer !== undefined) return;
    this.firstMs = this.lastMs;
    this.timer = setInterval(() => {
      this.tick();
    }, WATCH_MS);
  }

  end(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const { limitMs } = this;
    this.waitedMs += WATCH_MS;
    const used = this.usedMs();
    const isSilent = used - this.lastMs > limitMs;
    const isLong = used - this.firstMs > PATIENCE * limitMs || this.waitedMs > PATIENCE ** 2 * limitMs;
    if (isSilent || isLong)
      this.client.kill(`took more than ${(isSilent ? 1 : PATIENCE) * (limitMs / 1000)} s`);
  }

  private usedMs(): number {
    const { pid } = this.client;
    const ticks = pid === undefined ? null : processorTicks(pid);
    return ticks === null ? this.waitedMs : ticks * TICK_MS;
  }
}

/** @throws DataError of the reading process, or `shard-format` if it ended. */
async function readApart(path: string, content: Uint8Array): Promise<DecodedShard> {
  const { client } = await takeReader(content.length);
  const watch = new ReadingWatch(client, content.length);
  const onNote = (): void => {
    watch.heard();
  };
  try {
    return await client.ask({ path, content }, { onNote });
  } catch (error) {
    if (!(error instanceof ProcessEnd)) throw error;
    const found = `the process that read it ${error.message}`;
    throw new DataError('shard-format', `expected a Parquet file in ${path}: ${found}`, { cause: error });
  } finally {
    watch.end();
  }
}

/**
 * Reads a Parquet file of `encodeParquet`, or of another program with the columns of a shard and its metadata. Trusts nothing:
 * another process reads the file, with time and memory in proportion to it.
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
