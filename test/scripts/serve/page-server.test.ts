import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PageServer, servePage } from '../../../scripts/serve/page-server.js';
import { readPage, withModel } from '../../../scripts/serve/page-files.js';

const HOST = '127.0.0.1';

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends the path unchanged: `fetch` would resolve its dots. */
function ask(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Reply> {
  const { port } = new URL(server.address);
  return new Promise((resolve, reject) => {
    const asked = request({ host: HOST, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode = 0 } = response;
        resolve({ status: statusCode, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}

let folder: string;
let server: PageServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gess-page-'));
  const page = join(folder, 'page');
  await mkdir(join(page, 'assets'), { recursive: true });
  await mkdir(join(page, 'models'));
  await writeFile(join(folder, 'secret.html'), 'secret');
  await mkdir(join(folder, 'elsewhere'));
  await writeFile(join(folder, 'elsewhere', 'secret.html'), 'secret');
  await writeFile(join(page, 'index.html'), '<!doctype html>page');
  await writeFile(join(page, 'assets', 'page-0123abcd.js'), 'export {}');
  await writeFile(join(page, 'assets', 'notes.txt'), 'of no type that is served');
  await writeFile(join(page, 'models', 'models.json'), JSON.stringify({ models: [] }));
  await writeFile(join(page, 'assets', 'runtime-0123abcd.wasm.br'), brotliCompressSync('runtime'));
  await symlink(join(folder, 'secret.html'), join(page, 'link.html'));
  await symlink(join(folder, 'elsewhere'), join(page, 'linked'));
  server = await servePage(await readPage(page), { host: HOST, port: 0 });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test('the page and its files have their types, and a policy that allows nothing from elsewhere', async () => {
  const page = await ask('/');
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(page.body.toString()).toBe('<!doctype html>page');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe-(inline|eval)'(?<!wasm-unsafe-eval')/);
  expect(page.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' });
  const script = await ask('/assets/page-0123abcd.js?v=1');
  expect(script.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8' });
  expect(script.headers['cache-control']).toContain('immutable');
});

test('texts are compressed for clients that accept it', async () => {
  for (const accepted of ['br, gzip', 'br, gzip', 'GZIP;q=0.1', 'x-gzip']) {
    const { headers, body } = await ask('/', 'GET', { 'Accept-Encoding': accepted });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length) });
    expect(gunzipSync(body).toString()).toBe('<!doctype html>page');
  }
});

test.each(['br', 'gzip;q=0', 'br, gzip; q=0.000', 'gzipped', ''])(
  'texts are sent as they are to clients that accept %j',
  async (accepted) => {
    const { headers, body } = await ask('/', 'GET', { 'Accept-Encoding': accepted });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.toString()).toBe('<!doctype html>page');
  },
);

test.each([
  '/../secret.html',
  '/..%2fsecret.html',
  '/%2e%2e/secret.html',
  '/assets/../../secret.html',
  '/assets/..\\..\\secret.html',
  '//etc/passwd',
  '/link.html',
  '/linked/secret.html',
  '/assets/notes.txt',
  '/assets/',
  '/index.html%00.js',
  '/%',
  '/%ff',
  '/__proto__',
  `/${'a'.repeat(5000)}`,
])('%s is not served', async (path) => {
  const { status, body } = await ask(path);
  expect(status).toBe(404);
  expect(body.toString()).not.toContain('secret');
});

test.each(['example.org', 'example.org:80', '10.0.0.1', '127.0.0.1.example.org', 'localhost.example.org'])(
  'a request for the host %j is refused, because a foreign page may have sent it',
  async (host) => {
    const { status, body } = await ask('/', 'GET', { Host: host });
    expect({ status, text: body.toString() }).toEqual({
      status: 421,
      text: 'expected the address that gess serve printed\n',
    });
  },
);

test.each(['localhost', 'LOCALHOST:9000', '127.0.0.1', '127.1.2.3:80', '[::1]:8417'])(
  'a request for the host %j is answered',
  async (host) => {
    expect(await ask('/', 'GET', { Host: host })).toMatchObject({ status: 200 });
  },
);

describe('a client', () => {
  /** Connects, writes, and returns the text received until the server ends the connection. */
  function talk(to: PageServer, text: string): Promise<string> {
    const socket = connect({ host: HOST, port: Number(new URL(to.address).port) });
    let answer = '';
    return new Promise((resolve) => {
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket
        .on('error', () => undefined)
        .on('close', () => {
          resolve(answer);
        });
      if (text !== '') socket.write(text);
    });
  }

  let strict: PageServer;
  beforeAll(async () => {
    const limits = { headersMs: 200, requestMs: 400, idleMs: 2000, connections: 4 };
    strict = await servePage(await readPage(join(folder, 'page')), { host: HOST, port: 0, limits });
  });
  afterAll(() => strict.close());

  test.each([
    ['that sends half a request', 'GET / HTTP/1.1\r\nHost: local', 'HTTP/1.1 408 '],
    [
      'that sends half a body',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx',
      'HTTP/1.1 405 ',
    ],
    ['that sends nothing', '', ''],
    [
      'with enormous headers',
      `GET / HTTP/1.1\r\nHost: localhost\r\nA: ${'x'.repeat(20_000)}`,
      'HTTP/1.1 431 ',
    ],
    ['that names no host', 'GET / HTTP/1.0\r\n\r\n', 'HTTP/1.1 421 '],
    ['of another protocol', '\x16\x03\x01\x02\0\x01', 'HTTP/1.1 400 '],
  ])('%s does not hold a connection', async (_, text, start) => {
    expect(await talk(strict, text)).toMatch(new RegExp(`^${start}`));
  });

  test.each(['', 'Expect: a miracle\r\n'])(
    'that sends many requests at once (%j) has no more than one answered',
    async (header) => {
      const text = `GET / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`;
      const answers = (await talk(strict, text.repeat(500))).match(/HTTP\/1\.1/g) ?? [];
      expect(answers.length).toBeLessThanOrEqual(1);
    },
  );

  test('that waits for each answer has all its requests answered on one connection', async () => {
    const socket = connect({ host: HOST, port: Number(new URL(strict.address).port) });
    for (let time = 0; time < 20; time++) {
      socket.write('HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    }
    socket.destroy();
  });

  test('with many connections leaves room for others once they have ended', async () => {
    const silent = await Promise.all(Array.from({ length: 20 }, () => talk(strict, '')));
    expect(silent.filter((answer) => answer.includes(' 200 '))).toEqual([]);
    const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await talk(strict, request)).toMatch(/^HTTP\/1.1 200 /);
  });
});

test('only GET and HEAD are answered', async () => {
  const head = await ask('/', 'HEAD');
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': '19' } });
  expect(head.body).toHaveLength(0);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    expect(await ask('/', method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  }
});

test('a folder without a page, an address in use and one of another machine have codes', async () => {
  await expect(readPage(join(folder, 'elsewhere'))).rejects.toMatchObject({ code: 'page-missing' });
  const { port } = new URL(server.address);
  await expect(servePage(new Map(), { host: HOST, port: Number(port) })).rejects.toMatchObject({
    code: 'address-in-use',
  });
  await expect(servePage(new Map(), { host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
    code: 'address-unusable',
  });
});

test('a model replaces the one for its game and rules', async () => {
  const model = { file: 'gess-0123.onnx', game: 'gess', rules: 'eureka', play: {} };
  const other = { ...model, file: 'gess-4567.onnx' };
  const quess = { file: 'quess-89ab.onnx', game: 'quess', rules: 'standard', play: {} };
  const bytes = Uint8Array.of(1, 2, 3);
  let files = withModel(await readPage(join(folder, 'page')), { model, bytes });
  files = withModel(withModel(files, { model: quess, bytes }), { model: other, bytes });
  const list = JSON.parse(Buffer.from(files.get('/models/models.json')!.bytes).toString()) as unknown;
  expect(list).toEqual({ models: [other, quess] });
  expect(files.get('/models/gess-4567.onnx')!.bytes).toEqual(bytes);
});

test.each(['{}', '{"models":3}', '{"models":[{"file":"../x.onnx"}]}', '[', '{"models":[null]}'])(
  'a list of models that is %s is named',
  async (text) => {
    const page = join(folder, 'listed');
    await mkdir(join(page, 'models'), { recursive: true });
    await writeFile(join(page, 'index.html'), 'page');
    await writeFile(join(page, 'models', 'models.json'), text);
    const files = await readPage(page);
    const model = { file: 'gess-0123.onnx', game: 'gess', rules: 'eureka', play: {} };
    expect(() => withModel(files, { model, bytes: Uint8Array.of(1) })).toThrow(
      expect.objectContaining({ code: 'page-damaged' }) as Error,
    );
  },
);

test('a page whose first file is a folder is missing, and so is one without a folder', async () => {
  const page = join(folder, 'odd');
  await mkdir(join(page, 'index.html'), { recursive: true });
  await expect(readPage(page)).rejects.toMatchObject({ code: 'page-missing' });
  await expect(readPage(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'page-missing' });
});

test('a compressed file is served decompressed', async () => {
  const { status, headers, body } = await ask('/assets/runtime-0123abcd.wasm');
  expect({ status, type: headers['content-type'], text: body.toString() }).toEqual({
    status: 200,
    type: 'application/wasm',
    text: 'runtime',
  });
  expect((await ask('/assets/runtime-0123abcd.wasm.br')).status).toBe(404);
});

const FASTEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };

test.each([
  ['no Brotli', Buffer.from('not compressed')],
  ['more than 64 MiB', brotliCompressSync(Buffer.alloc(65 * 2 ** 20), FASTEST)],
])('a compressed file with %s is named', async (_, bytes) => {
  const page = join(folder, 'damaged');
  await mkdir(page, { recursive: true });
  await writeFile(join(page, 'index.html'), 'page');
  await writeFile(join(page, 'large.wasm.br'), bytes);
  await expect(readPage(page)).rejects.toMatchObject({
    code: 'page-damaged',
    message: expect.stringContaining('large.wasm.br') as string,
  });
});
