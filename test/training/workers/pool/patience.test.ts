import { expect, test } from 'vitest';
import {
  JetStreamApiError,
  type NatsConnection,
  TimeoutError,
} from '../../../../training/workers/pool/wire/nats-library.js';
import { untilAnswered } from '../../../../training/workers/pool/wire/patience.js';

function connection(isClosed: boolean): NatsConnection {
  return { isClosed: () => isClosed, getServer: () => 'host:4222' } as NatsConnection;
}

const REFUSAL = new JetStreamApiError({ code: 403, err_code: 10039, description: 'not allowed here' });

/** Waits for a request that fails with this error. */
function failing(error: Error, isClosed: boolean): Promise<unknown> {
  const act = (): Promise<never> => Promise.reject(error);
  return untilAnswered(act, { nc: connection(isClosed), onAway: () => undefined });
}

test('a refusal ends the wait with a code', async () => {
  await expect(failing(REFUSAL, false)).rejects.toMatchObject({
    code: 'pool-refused',
    message: 'the server at host:4222 refused a request: not allowed here',
  });
});

test('a closed connection ends the wait with a code', async () => {
  await expect(failing(new TimeoutError(), true)).rejects.toMatchObject({
    code: 'pool-unreachable',
    message: expect.stringMatching(/^expected a NATS server at host:4222: /) as string,
  });
});

test('a request is repeated while the server is away', async () => {
  const reasons: string[] = [];
  let tries = 0;
  const act = (): Promise<string> =>
    ++tries === 1 ? Promise.reject(new TimeoutError()) : Promise.resolve('answer');
  const answer = await untilAnswered(act, {
    nc: connection(false),
    onAway: (reason) => reasons.push(reason),
  });
  expect(answer).toBe('answer');
  expect(reasons).toHaveLength(1);
});
