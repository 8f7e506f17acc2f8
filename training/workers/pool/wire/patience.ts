import { setTimeout as delay } from 'node:timers/promises';
import {
  ConnectionError,
  JetStreamApiError,
  JetStreamError,
  type NatsConnection,
  NoRespondersError,
  RequestError,
  TimeoutError,
} from './nats-library.js';

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

/**
 * Repeats a request until the server answers.
 *
 * @returns their result.
 * @throws the first error that is a refusal; the last error once `signal` is aborted or the connection is closed.
 */
export async function untilAnswered<Result>(
  act: () => Promise<Result>,
  { nc, onAway, signal }: Patience,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!isAway(error) || signal?.aborted === true || nc.isClosed()) throw error;
      if (tries === 1) onAway(error.message);
      await delay(RETRY_MS);
    }
  }
}
