import { checkServerIdentity, type ConnectionOptions as NodeTlsOptions } from 'node:tls';
import { TrainingError } from '../../../training-error.js';
import {
  AuthorizationError,
  connect,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  nanos,
  type NatsConnection,
  nkeyAuthenticator,
  RetentionPolicy,
  StorageType,
  type TlsOptions,
} from './nats-library.js';
import { MAX_MESSAGE_BYTES } from './pool-messages.js';
import { FILES_STREAM, inboxPrefix, RESULTS_STREAM, SHARDS_STREAM } from './pool-subjects.js';
import type { PoolTicket } from './pool-ticket.js';

/** Time for the server's answer to a request. */
const REQUEST_MS = 10_000;

const DAY_MS = 86_400_000;
const GIB = 2 ** 30;

/** A connection to the server of a pool, which reconnects by itself. */
export interface PoolConnection {
  /** The public key of this side. */
  readonly publicKey: string;
  readonly key: PoolTicket['key'];
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
}

/**
 * Options of TLS. The library names no host to Node where the host is an address, and Node then expects a certificate for
 * `localhost`.
 */
function tlsOptions(url: string, ca: string): TlsOptions {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const identity: Pick<NodeTlsOptions, 'checkServerIdentity'> = {
    checkServerIdentity: (_host, certificate) => checkServerIdentity(host, certificate),
  };
  return { ca, ...identity };
}

function explain(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof AuthorizationError) {
    return new TrainingError(
      'pool-refused',
      `the server at ${url} refuses these credentials: ${error.message}`,
      {
        cause: error,
      },
    );
  }
  return new TrainingError('pool-unreachable', `expected a server of NATS at ${url}: ${error.message}`, {
    cause: error,
  });
}

/**
 * Connects to the server of a pool.
 *
 * @throws TrainingError `pool-unreachable`, `pool-refused`; PackageError if the libraries are not installed.
 */
export async function connectToPool({ url, ca, key, isKnown }: PoolTicket): Promise<PoolConnection> {
  const publicKey = key.getPublicKey();
  try {
    const nc = await connect({
      servers: url,
      name: `gess ${publicKey}`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      timeout: REQUEST_MS,
      inboxPrefix: inboxPrefix(publicKey),
      ...(isKnown && { authenticator: nkeyAuthenticator(key.getSeed()) }),
      ...(ca !== null && { tls: tlsOptions(url, ca) }),
    });
    const js = jetstream(nc, { timeout: REQUEST_MS });
    const jsm = await jetstreamManager(nc, { timeout: REQUEST_MS, checkAPI: false });
    return { publicKey, key, nc, js, jsm };
  } catch (error) {
    throw explain(error, url);
  }
}

/** The streams of a pool, which its coordinator makes, with their greatest sizes. */
const STREAMS = [
  { name: FILES_STREAM, subject: 'gess.files.*.*', bytes: 16 * GIB },
  { name: SHARDS_STREAM, subject: 'gess.shards.*.*.*', bytes: 16 * GIB },
  { name: RESULTS_STREAM, subject: 'gess.results.*.*', bytes: GIB },
] as const;

/** Where the server has less room, the streams have at least this share of their greatest sizes. */
const SMALLEST_SHARE = 1 / 64;

/** The server's codes where a stream is larger than the room of the server or of the account. */
const NO_ROOM: readonly number[] = [10002, 10047];
const NO_STREAM = 10059;

/** The streams that the server does not have. */
async function missingStreams({ jsm }: PoolConnection): Promise<readonly (typeof STREAMS)[number][]> {
  const missing = [];
  for (const stream of STREAMS) {
    try {
      await jsm.streams.info(stream.name);
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === NO_STREAM)) throw error;
      missing.push(stream);
    }
  }
  return missing;
}

/** Makes the streams that are missing. @throws errors of the server. */
async function makeStreams(connection: PoolConnection, share: number): Promise<void> {
  for (const { name, subject, bytes } of await missingStreams(connection)) {
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
      max_age: nanos(7 * DAY_MS),
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
        const isTooLarge = error instanceof JetStreamApiError && NO_ROOM.includes(error.code);
        if (!isTooLarge || share <= SMALLEST_SHARE) throw error;
        // All of one size: the first ones must not take the room of the last.
        for (const { name } of missing) await jsm.streams.delete(name).catch(() => undefined);
      }
    }
  } catch (error) {
    throw new TrainingError(
      'pool-refused',
      `expected to make the streams of a pool at ${nc.getServer()}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
