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

/** Time between two tries. */
const RETRY_MS = 1000;

/** The server's code while it starts. */
const NOT_READY = 10008;

/** How somebody waits for a server. */
export interface Patience {
  readonly nc: NatsConnection;
  /** Called at the first failure, with the reason. */
  readonly onAway: (reason: string) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** Whether an error means that the server is away, or not ready: it has refused nothing. */
function isAway(error: unknown): error is Error {
  if (error instanceof JetStreamApiError) return error.code === NOT_READY;
  const kinds = [ConnectionError, JetStreamError, NoRespondersError, RequestError, TimeoutError];
  // The library does not export the class of this error: nobody answers the requests of JetStream.
  const isSilent = error instanceof Error && error.name === 'JetStreamNotEnabled';
  return isSilent || kinds.some((kind) => error instanceof kind);
}

/**
 * Repeats requests to a server until it is there.
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
