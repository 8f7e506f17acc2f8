import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { systemErrorCode } from '../../data/data-error.js';
import type { PageFile, PageFiles } from './page-files.js';
import { ServeError } from './serve-error.js';

/** Only files of the page itself, and WebAssembly. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Limits for clients, so that slow or hostile ones cannot use up the server. */
const CLIENT_LIMITS = {
  /** Longest wait in ms for the headers of a request. */
  headersMs: 10_000,
  /** Longest wait in ms for a whole request. */
  requestMs: 20_000,
  /** Longest time in ms in which a connection may transfer nothing. */
  idleMs: 60_000,
  /** Most connections at once; further ones are closed. */
  connections: 256,
} as const;
/** See `CLIENT_LIMITS`. */
export type ClientLimits = Readonly<Record<keyof typeof CLIENT_LIMITS, number>>;

/** Addresses of this machine that other machines cannot reach. */
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
/** The `Host` header of a request to such an address. */
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** Types that are sent compressed. */
const COMPRESSED = /^(text\/|application\/json|application\/manifest|image\/svg)/;

const compress = promisify(gzip);

/** A running server. */
export interface PageServer {
  /** `http://127.0.0.1:8417/`. */
  readonly address: string;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** The address at which the page is served, its pool, and the limits of its clients. */
export interface PageAddress {
  /** Address of this machine to listen on. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** `wss://HOST:PORT` of the pool that browsers may connect to; null: of none. */
  readonly pool?: string | null;
  readonly limits?: ClientLimits;
}

/** Compressed files, finished or in progress. */
type CompressedFiles = Map<PageFile, Promise<Uint8Array>>;

/** The `Content-Security-Policy` of all answers. */
function policyFor(pool: string | null): string {
  return `${POLICY}; connect-src 'self'${pool === null ? '' : ` ${pool}`}`;
}

function refuse(response: ServerResponse, status: number, text: string): void {
  // The body of a request that is refused is not read.
  response.writeHead(status, {
    ...HEADERS,
    'Content-Type': 'text/plain; charset=utf-8',
    Connection: 'close',
  });
  response.end(`${text}\n`);
}

/** The path of a request's address, without its query; null if it is not one. */
function pathOf(url: string): string | null {
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0]!);
  } catch {
    return null;
  }
}

/** Whether an `Accept-Encoding` header names gzip, with a weight above 0 (RFC 9110, section 12.5.3). */
function acceptsGzip(header = ''): boolean {
  return header
    .split(',')
    .some((coding) => /^\s*(x-)?gzip\s*(;|$)/i.test(coding) && !/;\s*q=0(\.0*)?\s*$/i.test(coding));
}

async function send(
  response: ServerResponse,
  file: PageFile,
  { method, headers }: IncomingMessage,
  compressed: CompressedFiles,
): Promise<void> {
  const isCompressed = COMPRESSED.test(file.type) && acceptsGzip(headers['accept-encoding']);
  let body = file.bytes;
  if (isCompressed) {
    const pending = compressed.get(file) ?? compress(body);
    compressed.set(file, pending);
    body = await pending;
  }
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': file.type,
    'Content-Length': body.length,
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

function answer(files: PageFiles, policy: string) {
  const compressed: CompressedFiles = new Map();
  const busy = new WeakSet<Socket>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { method, url = '/', headers, socket } = request;
    // No browser sends a request before it has the answer to the last one. A client that sends thousands and reads
    // nothing would fill the memory with answers.
    if (busy.has(socket)) {
      socket.destroy();
      return;
    }
    busy.add(socket);
    response.once('finish', () => busy.delete(socket));
    response.setHeader('Content-Security-Policy', policy);
    // Otherwise a foreign page whose host name resolves to this machine would share this origin (DNS rebinding).
    if (LOOPBACK.test(socket.localAddress ?? '') && !LOOPBACK_HOST.test(headers.host ?? '')) {
      refuse(response, 421, 'expected the address that gess serve printed');
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      refuse(response, 405, 'expected GET or HEAD');
      return;
    }
    const file = files.get(pathOf(url) ?? '');
    if (file === undefined) {
      refuse(response, 404, 'no such file of the page');
      return;
    }
    void send(response, file, request, compressed);
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = systemErrorCode(error) ?? error.message;
      reject(
        code === 'EADDRINUSE'
          ? new ServeError(
              'address-in-use',
              `expected a free port, ${host}:${port} is in use: --port 0 finds one`,
            )
          : new ServeError('address-unusable', `expected an address to listen on, ${host}:${port}: ${code}`),
      );
    });
    server.listen({ host, port, exclusive: true }, resolve);
  });
}

/**
 * Serves the page.
 *
 * @throws ServeError `address-in-use`, `address-unusable`.
 */
export async function servePage(
  files: PageFiles,
  { host, port, pool = null, limits = CLIENT_LIMITS }: PageAddress,
): Promise<PageServer> {
  const { headersMs, requestMs, idleMs, connections } = limits;
  const answerRequest = answer(files, policyFor(pool));
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      // How often the two timeouts are checked.
      connectionsCheckingInterval: Math.ceil(headersMs / 5),
    },
    answerRequest,
  );
  // Node would answer requests that expect anything, however many a client sends at once.
  server.on('checkExpectation', answerRequest);
  server.maxConnections = connections;
  server.setTimeout(idleMs);
  await listen(server, host, port);
  const { address, family, port: chosen } = server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  return {
    address: `http://${name}:${chosen}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
