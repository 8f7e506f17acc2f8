import { TrainingError } from '../../../training-error.js';
import {
  AuthorizationError,
  connect,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  nanos,
  type NatsConnection,
  nkeyAuthenticator,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
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
      ...(ca !== null && { tls: { ca } }),
    });
    const js = jetstream(nc, { timeout: REQUEST_MS });
    const jsm = await jetstreamManager(nc, { timeout: REQUEST_MS, checkAPI: false });
    return { publicKey, key, nc, js, jsm };
  } catch (error) {
    throw explain(error, url);
  }
}

/** The streams of a pool, which its coordinator makes. */
const STREAMS: readonly (Partial<StreamConfig> & { readonly name: string })[] = [
  { name: FILES_STREAM, subjects: ['gess.files.*.*'], max_bytes: 16 * GIB },
  { name: SHARDS_STREAM, subjects: ['gess.shards.*.*.*'], max_bytes: 16 * GIB },
  { name: RESULTS_STREAM, subjects: ['gess.results.*.*'], max_bytes: GIB },
];

/**
 * Makes the streams of a pool that are missing.
 *
 * @throws TrainingError `pool-refused` if the server has no JetStream or refuses.
 */
export async function ensureStreams({ jsm, nc }: PoolConnection): Promise<void> {
  for (const stream of STREAMS) {
    try {
      await jsm.streams.add({
        ...stream,
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
    } catch (error) {
      throw new TrainingError(
        'pool-refused',
        `expected to make the stream ${stream.name} at ${nc.getServer()}: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }
}
