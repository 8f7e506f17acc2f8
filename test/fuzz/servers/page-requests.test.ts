import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll } from 'vitest';
import { type PageServer, servePage } from '../../../scripts/serve/page-server.js';
import { fuzz } from '../fuzz.js';
import { hostileStream } from './hostile-stream.js';

const HOST = '127.0.0.1';
const PAGE = 'the page';
const STATUSES = ['200', '400', '404', '405', '408', '413', '417', '421', '431'];

const FILES = new Map(
  ['/', '/index.html', '/assets/page.js'].map((path) => [
    path,
    { type: 'text/html; charset=utf-8', isImmutable: false, bytes: Buffer.from(PAGE) },
  ]),
);

const requests = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'CONNECT'),
    path: fc.constantFrom('/', '/index.html', '/assets/page.js?v=1', '/../secret', '/%2e%2e%2fsecret', '*'),
    host: fc.constantFrom('127.0.0.1', 'localhost:8417', '[::1]:80', 'example.org'),
    header: fc.constantFrom(
      'Accept: */*',
      'Accept-Encoding: gzip',
      'Connection: close',
      'Content-Length: 5',
      'Expect: 100-continue',
      'Range: bytes=0-1',
      'Transfer-Encoding: chunked',
      'Upgrade: websocket',
    ),
  })
  .map(
    ({ method, path, host, header }) => `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n\r\n`,
  );

const WORDS = [
  ...['GET ', 'HEAD ', 'POST ', 'PRI * HTTP/2.0', ' HTTP/1.1\r\n', ' HTTP/1.0\r\n', ' HTTP/9.9\r\n', '\r\n'],
  ...[
    '/',
    '//',
    '/..',
    '/%2e%2e',
    '%',
    '%00',
    '%ff',
    '\\',
    '?',
    '#',
    'http://127.0.0.1/',
    'x'.repeat(20_000),
  ],
  ...['Host: ', 'Host: 127.0.0.1\r\n', ': ', 'Content-Length: ', 'Transfer-Encoding: chunked\r\n', 'ff\r\n'],
];

let server: PageServer;
beforeAll(async () => {
  server = await servePage(FILES, { host: HOST, port: 0 });
});
afterAll(() => server.close());

/** Sends the pieces; returns everything that the server answers until it closes the connection. */
async function answersTo(pieces: readonly Buffer[], leaves: boolean): Promise<string> {
  const socket = connect({ host: HOST, port: Number(new URL(server.address).port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server may close the connection during a write.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => {
    socket.once('end', resolve).once('close', resolve);
  });
  await once(socket, 'connect');
  for (const piece of pieces) socket.write(piece);
  if (leaves) socket.destroy();
  else socket.end();
  await closed;
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

fuzz('requests to the server of the page', {
  input: fc.record({
    // A connection ends at its first refused request.
    first: fc.array(requests, { maxLength: 3 }),
    pieces: hostileStream(requests, WORDS),
    leaves: fc.boolean(),
  }),
  runs: 60,
  law: async ({ first, pieces, leaves }) => {
    const answers = await answersTo([Buffer.from(first.join('')), ...pieces], leaves);
    assert.ok(answers === '' || answers.startsWith('HTTP/1.1 '), answers.slice(0, 200));
    const statuses = Array.from(answers.matchAll(/^HTTP\/1\.1 (\d+)/gm), ([, status]) => status!);
    for (const status of statuses) assert.ok(['100', ...STATUSES].includes(status), status);
    const sound = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.match(await answersTo([sound], false), /^HTTP\/1\.1 200 .*\r\n\r\nthe page$/s);
    return statuses.includes('200');
  },
});
