import { setTimeout as delay } from 'node:timers/promises';
import { TrainingError } from '../../../training-error.js';
import {
  ConnectionError,
  JetStreamApiError,
  JetStreamError,
  type NatsConnection,
  NoRespondersError,
  RequestError,
  TimeoutError,
} from './nats-library.js';
import { explainConnection } from './pool-connection.js';

/** Milliseconds between two attempts. */
const RETRY_MS = 1000;

/** The server's error code while it starts. */
const NOT_READY = 10008;

/** Options of waiting for a server. */
export interface Patience {
  readonly nc: NatsConnection;
  /** Called at the first failure, with the reason. */
  readonly onAway: (reason: string) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Whether an error means that the server is unreachable or not ready, rather than that it refused. */
function isAway(error: unknown): error is Error {
  if (error instanceof JetStreamApiError) return error.code === NOT_READY;
  const kinds = [ConnectionError, JetStreamError, NoRespondersError, RequestError, TimeoutError];
  // The library does not export the class of this error: JetStream does not answer.
  const isSilent = error instanceof Error && error.name === 'JetStreamNotEnabled';
  return isSilent || kinds.some((kind) => error instanceof kind);
}

/** The coded error of a request that the server refused, or of a closed connection; other errors as they are. */
function explainRequest(error: unknown, nc: NatsConnection): unknown {
  const server = nc.getServer();
  if (error instanceof JetStreamApiError) {
    return new TrainingError('pool-refused', `the server at ${server} refused a request: ${error.message}`, {
      cause: error,
    });
  }
  return nc.isClosed() && error instanceof Error ? explainConnection(error, server) : error;
}

/**
 * Repeats a request until the server answers.
 *
 * @returns the answer.
 * @throws TrainingError `pool-refused` if the server refuses it, `pool-unreachable` once the connection is closed; the
 *   last error once `signal` is aborted.
 */
export async function untilAnswered<Result>(
  act: () => Promise<Result>,
  { nc, onAway, signal }: Patience,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!isAway(error) || signal?.aborted === true || nc.isClosed()) throw explainRequest(error, nc);
      if (tries === 1) onAway(error.message);
      await delay(RETRY_MS);
    }
  }
}
