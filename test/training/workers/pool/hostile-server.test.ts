import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectGuarded } from '../../../../training/workers/pool/wire/tcp/guarded-transport.js';
import { readTicket } from '../../../../training/workers/pool/wire/pool-ticket.js';
import { connectToPool } from '../../../../training/workers/pool/wire/server-connection.js';
import { runPoolWorker } from '../../../../training/workers/pool/worker/worker-run.js';

const GREETING = 'INFO {"version":"2.10.0","max_payload":1048576,"headers":true}\r\n';

/** A server that is not NATS's; `closed` resolves when its first client has closed the connection. */
async function serve(
  onClient: (socket: Socket) => void,
): Promise<{ readonly url: string; readonly closed: Promise<unknown> }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    // The client may close the connection while this server writes.
    socket.on('error', () => undefined);
    onClient(socket);
  });
  const closed = new Promise((resolve) => {
    server.once('connection', (socket) => socket.on('close', resolve));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `nats://127.0.0.1:${String((server.address() as AddressInfo).port)}`, closed };
}

/** Sends bytes as fast as the client reads them. */
function sendForever(socket: Socket): void {
  const bytes = Buffer.alloc(65_536, 'x');
  const send = (): void => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', send);
  send();
}

/** Greets as NATS does, and sends `text` in place of an answer to the first message. */
function greetAndSend(text: string, thenForever: boolean): (socket: Socket) => void {
  return (socket) => {
    socket.write(GREETING);
    socket.once('data', () => {
      socket.write('PONG\r\n');
      socket.once('data', () => {
        socket.write(text);
        if (thenForever) sendForever(socket);
      });
    });
  };
}

test('the connection to a server that does not answer is closed', async () => {
  const { url, closed } = await serve((socket) => socket.resume());
  await expect(connectGuarded({ servers: url, timeout: 200 })).rejects.toThrow('timeout');
  await closed;
});

test.each([
  ['bytes without end', sendForever, 'at most 32768 bytes'],
  [
    'an empty description',
    (socket: Socket) => socket.write('INFO {}\r\n'),
    'the description of a NATS server',
  ],
  ['null', (socket: Socket) => socket.write('INFO null\r\n'), 'the description of a NATS server'],
  ['another protocol', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'unexpected'],
])('a server that sends %s is refused', async (_name, onClient, reason) => {
  const { url, closed } = await serve(onClient);
  await expect(connectToPool(await readTicket(url))).rejects.toMatchObject({
    code: 'pool-unreachable',
    message: expect.stringContaining(reason) as string,
  });
  await closed;
});

test.each([
  ['a message of a forged length', 'MSG a 1 99999999999\r\n', true],
  ['a message that is too long', 'MSG a 1 60000000\r\n', true],
  ['a line without end', 'MSG ', true],
  ['another description of itself', 'INFO {"version":3}\r\n', false],
  ['something else', 'hello\r\n', false],
])('a server that later sends %s loses the connection', async (_name, text, thenForever) => {
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  onTestFinished(() => {
    log.mockRestore();
  });
  const { url, closed } = await serve(greetAndSend(text, thenForever));
  const nc = await connectGuarded({ servers: url, reconnect: false });
  nc.publish('a');
  await nc.closed();
  await closed;
  // The library would print a stack trace.
  expect(log).not.toHaveBeenCalled();
});

test.each([
  ['a space in a name', 'a b:c'],
  ['a name of 200,000 characters', `${'a'.repeat(200_000)}:c`],
])('a message of another client whose headers have %s costs no connection', async (_name, header) => {
  const headers = `NATS/1.0\r\n${header}\r\n\r\n`;
  const size = headers.length;
  const text = `HMSG a 1 ${size} ${size + 1}\r\n${headers}1\r\nMSG a 1 1\r\n2\r\n`;
  const { url } = await serve(greetAndSend(text, false));
  const nc = await connectGuarded({ servers: url, reconnect: false });
  onTestFinished(() => nc.close());
  const received: (readonly [string, number | undefined])[] = [];
  for await (const message of nc.subscribe('a', { max: 2 }))
    received.push([message.string(), message.headers?.keys().length]);
  expect(received).toEqual([
    ['1', 0],
    ['2', undefined],
  ]);
});

test('a server that names another one keeps its clients', async () => {
  let onReturn = (): void => undefined;
  const returned = new Promise<string>((resolve) => {
    onReturn = () => {
      resolve('returned');
    };
  });
  const other = await serve((socket) => socket.destroy());
  let clients = 0;
  const named = await serve((socket) => {
    clients += 1;
    if (clients > 1) onReturn();
    const info = { version: '2.10.0', connect_urls: [new URL(other.url).host] };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.once('data', () => {
      socket.write('PONG\r\n');
      // The client connects again.
      socket.once('data', () => socket.destroy());
    });
  });
  const { nc } = await connectToPool(await readTicket(named.url));
  onTestFinished(() => nc.close());
  nc.publish('a');
  expect(await Promise.race([returned, other.closed.then(() => 'left')])).toBe('returned');
});

/** Never asked for anything: the server has no jobs. */
const IDLE_PLAYER = {
  fingerprint: () => Promise.reject(new Error('no job')),
  play: () => Promise.reject(new Error('no job')),
  dispose: () => Promise.resolve(),
};

test('a worker says why it loses its server', async () => {
  const { url } = await serve(greetAndSend('hello\r\n', false));
  const end = new AbortController();
  const messages: string[] = [];
  await runPoolWorker(await readTicket(url), {
    ...{ processes: 1, player: IDLE_PLAYER, signal: end.signal },
    onMessage: (text) => {
      messages.push(text);
      if (text.startsWith('trouble')) end.abort();
    },
  });
  expect(messages.at(-1)).toMatch(
    /^trouble with the server of the pool: expected the protocol of NATS: parse error/,
  );
});

// The test fails by its time limit, which is shorter than the wait for an answer.
test('a worker whose server never answers stops at once', { timeout: 9000 }, async () => {
  const end = new AbortController();
  const { url } = await serve((socket) => {
    socket.write(GREETING);
    socket.once('data', () => socket.write('PONG\r\n'));
    let sent = '';
    socket.on('data', (chunk: Buffer) => {
      sent += chunk.toString('latin1');
      // Both processes have asked for a job.
      if (sent.split('.take ').length === 3) end.abort();
    });
  });
  const summary = await runPoolWorker(await readTicket(url), {
    ...{ processes: 2, player: IDLE_PLAYER, signal: end.signal },
    onMessage: () => undefined,
  });
  expect(summary).toEqual({ jobs: 0, games: 0 });
});

test('a worker ends when its server takes back the credentials', async () => {
  const refuse = (socket: Socket): void => {
    socket.end("-ERR 'Authorization Violation'\r\n");
  };
  let clients = 0;
  const { url } = await serve((socket) => {
    clients += 1;
    socket.write(GREETING);
    socket.once('data', () => {
      if (clients > 1) refuse(socket);
      else {
        socket.write('PONG\r\n');
        socket.once('data', () => {
          refuse(socket);
        });
      }
    });
  });
  const working = runPoolWorker(await readTicket(url), {
    ...{ processes: 1, player: IDLE_PLAYER, signal: new AbortController().signal },
    onMessage: () => undefined,
  });
  await expect(working).rejects.toMatchObject({ code: 'pool-refused' });
});

test.each(['nats://a:99999', 'nats://[::1', 'nats://x:y'])('%s is no address of a server', async (url) => {
  await expect(readTicket(url)).rejects.toMatchObject({ code: 'pool-address' });
});
