import { TrainingError } from '../../../training-error.js';
import { ConnectionTroubles, type TroubleListener } from './connection-troubles.js';
import {
  AuthorizationError,
  type ConnectionOptions,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type KeyPair,
  type NatsConnection,
  nkeyAuthenticator,
  TimeoutError,
} from './nats-library.js';
import { inboxPrefix } from './pool-subjects.js';
import type { Signer } from './signed-message.js';

/** Milliseconds in which the server must answer a request. */
const REQUEST_MS = 10_000;

/** Credentials of a connection to the server of a pool. */
export interface PoolMember {
  /** Address of the server. */
  readonly url: string;
  readonly key: KeyPair;
  /** Whether the server knows the key; if not, it admits everyone, and the key is made up. */
  readonly isKnown: boolean;
}

/** A connection to the server of a pool, which reconnects automatically. */
export interface PoolConnection {
  /** The public key of this client. */
  readonly publicKey: string;
  readonly signer: Signer;
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
}

/** The coded error of a connection that cannot be made, or that has ended for good. */
export function explainConnection(error: Error, url: string): TrainingError {
  if (error instanceof AuthorizationError) {
    return new TrainingError(
      'pool-refused',
      `the server at ${url} refuses these credentials: ${error.message}`,
      {
        cause: error,
      },
    );
  }
  return new TrainingError('pool-unreachable', `expected a NATS server at ${url}: ${error.message}`, {
    cause: error,
  });
}

/** Notes the errors that the server reports until the connection is closed. */
async function noteErrors(nc: NatsConnection, troubles: ConnectionTroubles): Promise<void> {
  for await (const status of nc.status()) if (status.type === 'error') troubles.add(status.error);
}

/**
 * Connects to the server of a pool, in Node and in browsers.
 *
 * @param connect opens the connection, by TCP or by WebSocket; it may name troubles by `onTrouble`.
 * @param onMessage called with a message when the connection is lost or the server reports an error.
 * @throws TrainingError `pool-unreachable`, `pool-refused`; PackageError if the libraries are not installed.
 */
export async function connectWith(
  { url, key, isKnown }: PoolMember,
  connect: (options: ConnectionOptions & TroubleListener) => Promise<NatsConnection>,
  onMessage: (text: string) => void = () => undefined,
): Promise<PoolConnection> {
  const publicKey = key.getPublicKey();
  const troubles = new ConnectionTroubles(onMessage);
  try {
    const nc = await connect({
      servers: url,
      name: `gess ${publicKey}`,
      maxReconnectAttempts: -1,
      // A server may name others of its cluster; only the one that the user names is connected to.
      ignoreClusterUpdates: true,
      reconnectTimeWait: 500,
      timeout: REQUEST_MS,
      inboxPrefix: inboxPrefix(publicKey),
      onTrouble: (error) => {
        troubles.add(error);
      },
      ...(isKnown && { authenticator: nkeyAuthenticator(key.getSeed()) }),
    });
    troubles.open();
    void noteErrors(nc, troubles);
    const js = jetstream(nc, { timeout: REQUEST_MS });
    const jsm = await jetstreamManager(nc, { timeout: REQUEST_MS, checkAPI: false });
    return { publicKey, signer: key, nc, js, jsm };
  } catch (error) {
    const reason = error instanceof TimeoutError ? (troubles.newest ?? error) : (error as Error);
    throw explainConnection(reason, url);
  }
}
