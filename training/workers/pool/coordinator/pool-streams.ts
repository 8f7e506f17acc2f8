import { errorText } from '../../../../env/text/error-text.js';
import { TrainingError } from '../../../training-error.js';
import {
  DiscardPolicy,
  JetStreamApiError,
  nanos,
  RetentionPolicy,
  StorageType,
} from '../wire/nats-library.js';
import type { PoolConnection } from '../wire/pool-connection.js';
import { MAX_MESSAGE_BYTES } from '../wire/pool-messages.js';
import {
  ANY,
  FILES_STREAM,
  fileSubject,
  RESULTS_STREAM,
  resultSubject,
  SHARDS_STREAM,
  shardSubject,
} from '../wire/pool-subjects.js';
import { NO_STORAGE, STREAM_NOT_FOUND } from '../wire/server-errors.js';

const DAY_MS = 86_400_000;
const GIB = 2 ** 30;

/**
 * The streams of a pool, which the coordinator makes, with their maximum sizes and days until a message expires; 0:
 * never. A batch of jobs may need its files for weeks; the coordinator removes them before the next one.
 */
const STREAMS = [
  { name: FILES_STREAM, subject: fileSubject(ANY, ANY), bytes: 16 * GIB, days: 0 },
  { name: SHARDS_STREAM, subject: shardSubject(ANY, ANY, ANY), bytes: 16 * GIB, days: 7 },
  { name: RESULTS_STREAM, subject: resultSubject(ANY, ANY), bytes: GIB, days: 7 },
] as const;

/** Minimum share of their maximum sizes that the streams have on a server with less room. */
const SMALLEST_SHARE = 1 / 64;

/** The streams that the server does not have. Those of an earlier version get the days of this one. */
async function missingStreams({ jsm }: PoolConnection): Promise<readonly (typeof STREAMS)[number][]> {
  const missing = [];
  for (const stream of STREAMS) {
    try {
      const { config } = await jsm.streams.info(stream.name);
      const age = nanos(stream.days * DAY_MS);
      if (config.max_age !== age) await jsm.streams.update(stream.name, { ...config, max_age: age });
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND)) throw error;
      missing.push(stream);
    }
  }
  return missing;
}

/** Makes the streams that are missing. @throws errors of the server. */
async function makeStreams(connection: PoolConnection, share: number): Promise<void> {
  for (const { name, subject, bytes, days } of await missingStreams(connection)) {
    await connection.jsm.streams.add({
      name,
      subjects: [subject],
      max_bytes: share * bytes,
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      max_msgs_per_subject: 1,
      discard_new_per_subject: false,
      max_msg_size: MAX_MESSAGE_BYTES,
      max_age: nanos(days * DAY_MS),
      allow_direct: true,
      allow_rollup_hdrs: false,
    });
  }
}

/**
 * Makes the streams of a pool that are missing, as large as the server has room for.
 *
 * @throws TrainingError `pool-refused` if the server has no JetStream or refuses.
 */
export async function ensureStreams(connection: PoolConnection): Promise<void> {
  const { jsm, nc } = connection;
  try {
    const missing = await missingStreams(connection);
    for (let share = 1; ; share /= 2) {
      try {
        await makeStreams(connection, share);
        return;
      } catch (error) {
        const isTooLarge = error instanceof JetStreamApiError && NO_STORAGE.includes(error.code);
        if (!isTooLarge || share <= SMALLEST_SHARE) throw error;
        // All of one size: the first ones must not take the room of the last.
        for (const { name } of missing) await jsm.streams.delete(name).catch(() => undefined);
      }
    }
  } catch (error) {
    throw new TrainingError(
      'pool-refused',
      `expected to make the streams of a pool at ${nc.getServer()}: ${errorText(error)}`,
      { cause: error },
    );
  }
}
